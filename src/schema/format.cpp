#include "schema/format.h"

#include "schema/format_checks.h"

#include <array>
#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

struct Row {
  std::string_view name, looks_like;
};
constexpr std::array<Row, kFormats> kRows = {{
    {"date-time", "a date and time with offset such as 2026-05-17T08:30:00Z"},
    {"date", "a date such as 2026-05-17"},
    {"time", "a time with offset such as 08:30:00Z"},
    {"duration", "a duration such as P1DT12H"},
    {"email", "an e-mail address"},
    {"idn-email", "an e-mail address"},
    {"hostname", "a host name such as www.example.com"},
    {"idn-hostname", "a host name such as www.example.com"},
    {"ipv4", "an IPv4 address such as 192.0.2.1"},
    {"ipv6", "an IPv6 address such as 2001:db8::1"},
    {"uri", "a URI with scheme such as https://example.com/a"},
    {"uri-reference", "a URI or relative reference such as ../a?b=c"},
    {"iri", "an IRI with scheme such as https://example.com/a"},
    {"iri-reference", "an IRI or relative reference such as ../a?b=c"},
    {"uri-template", "a URI template such as /users/{id}"},
    {"uuid", "a UUID"},
    {"json-pointer", "a JSON pointer such as /items/0"},
    {"relative-json-pointer", "a relative JSON pointer such as 1/items"},
    {"regex", "a regular expression"},
}};
static_assert(!kRows.back().name.empty());

const Row& row(Format format) { return kRows[static_cast<std::size_t>(format)]; }

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<Format>(i);
  return std::nullopt;
}

std::string_view name(Format format) { return row(format).name; }
std::string_view describe(Format format) { return row(format).looks_like; }

bool has_format(std::string_view text, Format format) {
  switch (format) {
    case Format::date_time: return is_date_time(text);
    case Format::date: return is_date(text);
    case Format::time: return is_time(text);
    case Format::duration: return is_duration(text);
    case Format::email: return is_email(text, Alphabet::ascii);
    case Format::idn_email: return is_email(text, Alphabet::unicode);
    case Format::hostname: return is_hostname(text, Alphabet::ascii);
    case Format::idn_hostname: return is_hostname(text, Alphabet::unicode);
    case Format::ipv4: return is_ipv4(text);
    case Format::ipv6: return is_ipv6(text);
    case Format::uri: return is_uri(text, Alphabet::ascii);
    case Format::uri_reference: return is_uri_reference(text, Alphabet::ascii);
    case Format::iri: return is_uri(text, Alphabet::unicode);
    case Format::iri_reference: return is_uri_reference(text, Alphabet::unicode);
    case Format::uri_template: return is_uri_template(text);
    case Format::uuid: return is_uuid(text);
    case Format::json_pointer: return is_json_pointer(text);
    case Format::relative_json_pointer: return is_relative_json_pointer(text);
    case Format::regex: return true;
  }
  return true;
}

}  // namespace BELAY_NAMESPACE::schema
