// What in a value, or around it, looks like a part of the format's own tags: it may be one that was damaged.
#pragma once

#include "text/edges.h"
#include "text/tags.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace BELAY_NAMESPACE::text {

/// Whether half of a tag, or its end once more, stands right behind the opening tag or before the closing one. `key`:
/// of the parameter. `brackets`: how many ] the value has more than [.
bool doubtful_edges(const Edges& edges, const TagStyle& style, std::string_view key, std::int64_t brackets);

/// Whether a tag, or what was to be one, is nearly one of the style's own: of a call, a parameter, a key or a value.
/// Not for tags that are named like tools and parameters.
bool like_own(const Tag& tag, std::string_view text, const TagStyle& style);

/// Whether a tag that would hold a parameter stands behind a call that is an object: <parameter=x>, or one that is
/// named like an argument or a parameter of the tool. Then the call says its arguments twice. `more` when that is not
/// decided.
Is parameter_follows(std::string_view text, const Tool* tool, const std::function<bool(std::string_view)>& is_argument,
                     bool final);

/// Whether a name holds bytes that names of tools and parameters hardly have: a tag may have been damaged there.
bool torn_name(std::string_view name);

}  // namespace BELAY_NAMESPACE::text
