// Labels of internationalised host names: IDNA2008 (RFC 5890 to 5893) with abridged tables; format.h says how far.
#pragma once

#include "schema/punycode.h"

#include <cstddef>
#include <cstdint>

namespace BELAY_NAMESPACE::schema {

/// What a host name has to know of each of its labels.
struct LabelVerdict {
  bool valid = false;
  std::size_t ascii_length = 0;
  bool right_to_left = false;   ///< has characters that make the whole name one that runs in both directions
  bool keeps_direction = true;  ///< fulfils what RFC 5893 asks of each label of such a name
};

/// A label of letters, digits and hyphens (RFC 1123), an A-label (xn--), or a U-label (with characters beyond ASCII).
LabelVerdict judge_label(const Label& label);

// The tables of idna_tables.cpp.
bool is_mark(std::uint32_t c);        ///< combining marks: General_Category M
bool is_virama(std::uint32_t c);      ///< Canonical_Combining_Class 9
bool is_disallowed(std::uint32_t c);  ///< RFC 5892; characters with a contextual rule are not
bool is_right_to_left(std::uint32_t c);
bool is_dual_joining(std::uint32_t c);   ///< Joining_Type D or L: connects to the letter behind it
bool is_right_joining(std::uint32_t c);  ///< Joining_Type R: connects to the one before it only
bool is_greek(std::uint32_t c);
bool is_hebrew(std::uint32_t c);
bool is_kana_or_han(std::uint32_t c);

}  // namespace BELAY_NAMESPACE::schema
