// The names that files of keys and passwords have, and the patterns that find them.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::policy {

/// True when keys and passwords are usually kept under this name. `name`: one part of a path, in lower case.
bool is_key_name(std::string_view name);

enum class Finds : std::uint8_t {
  other,  ///< none of the names
  any,    ///< one of the names too, since it finds nearly anything: `*`, `*.*`, `*.json`
  keys,   ///< one of the names, by the letters that it spells out: `id_rs?`, `*.pem`, `secret*`
};

/// What a shell's pattern can find. `pattern`: one part of a path, in lower case. `dots`: `*` and `?` also stand for a
/// dot at the beginning, as they do for git. A pattern of more than 255 bytes counts as `keys`. Time is
/// linear in its size.
Finds finds_keys(std::string_view pattern, bool dots);

}  // namespace BELAY_NAMESPACE::policy
