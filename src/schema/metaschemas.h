// The meta-schemas of the drafts, so that schemas may refer to them and `$schema` needs no network.
#pragma once

#include <belay/version.h>

#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

/// The text of the meta-schema (or of one of its parts) at this URI.
std::optional<std::string_view> metaschema_at(std::string_view uri);

}  // namespace BELAY_NAMESPACE::schema
