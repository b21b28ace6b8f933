// Quotes inside a string's text: which of them may have been meant to end it.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string_view>

namespace BELAY_NAMESPACE::json {

/// Whether what stands at `at` and is `length` bytes long stands between letters: of ASCII, or Latin ones beyond it
/// (U+00C0 to U+024F).
bool is_apostrophe(std::string_view text, std::size_t at, std::size_t length = 1);

/// Whether the two quotes of typography come as a pair: “ ”, „ “, ‘ ’, « », 「 」 and the like, and ″ ″ and others that
/// have one form only. The other way round (” “) and the same twice (” ”) they do not.
bool is_pair(std::string_view opener, std::string_view closer);

/// Whether a quote of any kind stands in the text from `from` on, apostrophes inside words aside.
bool has_quote(std::string_view text, std::size_t from);

/// What a string is in its container.
enum class Role : unsigned char { key, member, item };

/// Whether the text of a string could have ended at a quote of typography in it, because what follows that quote may
/// follow a string: a colon, a closer, or a comma or another quote with the rest of an item or member behind them.
bool may_end_inside(std::string_view text, Role role);

}  // namespace BELAY_NAMESPACE::json
