// Names that are nearly the same.
#pragma once

#include <belay/version.h>

#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::schema {

/// True when the names differ only in case and in `_`, `-` and spaces: filePath, file_path.
bool same_name(std::string_view a, std::string_view b);
/// The one name of `names` that `name` was probably meant to be; empty when there is none, or more than one as near.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace BELAY_NAMESPACE::schema
