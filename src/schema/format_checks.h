// One predicate a format, for format.cpp; the standards are named there where each is defined. All take any bytes, run
// in linear time and allocate nothing.
#pragma once

#include <belay/version.h>

#include <cstdint>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

// format_time.cpp
bool is_date(std::string_view s);
bool is_time(std::string_view s);
bool is_date_time(std::string_view s);
bool is_duration(std::string_view s);

// format_host.cpp
enum class Alphabet { ascii, unicode };
bool is_ipv4(std::string_view s);
bool is_ipv6(std::string_view s);
bool is_hostname(std::string_view s, Alphabet alphabet);

// format_email.cpp
bool is_email(std::string_view s, Alphabet alphabet);

// format_uri.cpp: URIs are ASCII, IRIs are Unicode.
bool is_uri(std::string_view s, Alphabet alphabet);
bool is_uri_reference(std::string_view s, Alphabet alphabet);
/// True for the characters beyond ASCII that IRIs and URI templates may have; private use only where they say so.
bool is_iri_character(std::uint32_t code_point, bool private_use);

// format_template.cpp
bool is_uri_template(std::string_view s);

// format_pointer.cpp
bool is_json_pointer(std::string_view s);
bool is_relative_json_pointer(std::string_view s);
bool is_uuid(std::string_view s);

}  // namespace BELAY_NAMESPACE::schema
