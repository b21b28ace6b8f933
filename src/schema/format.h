// The formats of JSON Schema that can be asserted.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

enum class Format : std::uint8_t {
  date_time,
  date,
  time,
  duration,
  email,
  idn_email,
  hostname,
  idn_hostname,
  ipv4,
  ipv6,
  uri,
  uri_reference,
  iri,
  iri_reference,
  uri_template,
  uuid,
  json_pointer,
  relative_json_pointer,
  regex,
};
inline constexpr int kFormats = static_cast<int>(Format::regex) + 1;

/// By the name that `format` has; nothing for names that are not known (they never fail).
std::optional<Format> format_named(std::string_view name);
std::string_view name(Format format);

/// True when the text (valid UTF-8; other bytes do no harm) is of the format. O(length), no allocation. `regex` is not
/// decided here, it takes a Regexes: every text has it.
///
/// What a format cannot promise:
/// - Leap seconds are allowed at 23:59:60 UTC of any day, not only of those that had one.
/// - Names in hosts and e-mail addresses (A-labels and U-labels) are checked as IDNA2008 (RFC 5890 to 5893) says:
///   Punycode, hyphens, lengths, first marks, contextual rules, right-to-left rules. Its tables are abridged: that
///   letters are normalised (NFC) and assigned is not checked; disallowed are the symbols, punctuation, capitals and
///   compatibility forms of the scripts in use, but not each rare character; marks, and letters that joiners may
///   stand beside, are known in the Basic Multilingual Plane. What is missed is accepted, save joiners.
/// - Lengths are limited in host names (63 bytes a label, 253 in all), not in the local parts of addresses.
bool has_format(std::string_view text, Format format);

/// What a text of this format looks like, for error messages: "a date such as 2026-05-17".
std::string_view describe(Format format);

}  // namespace BELAY_NAMESPACE::schema
