// URI references as RFC 3986 has them: enough to give schemas their identity. Nothing is ever fetched.
#pragma once

#include <belay/version.h>

#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::schema {

/// The parts of a URI reference, as views of it. A part that is there but empty differs from one that is not. Any text
/// can be split; what stands before a colon is a scheme only when it is spelt like one.
struct Uri {
  std::string_view scheme, authority, path, query, fragment;
  bool has_scheme = false, has_authority = false, has_query = false, has_fragment = false;
};
Uri split_uri(std::string_view reference);

/// The reference resolved against a base (RFC 3986, 5.2), dot segments removed, scheme and host in lower case.
/// O(length).
///
/// An empty base, and bases without a scheme ("schema.json", "/a/b"), are allowed: then the result has none either. A
/// relative result keeps the ".." that leads out of the base, and gets "./" in front where it would read as something
/// else: "a/b" with "../../c" is "../c", and with "../x:y" it is "./x:y". For a base that is not hierarchical (urn:,
/// tag:) a reference that has only a fragment keeps the base.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// The URI without its fragment, and the fragment with percent-escapes decoded (those that are wrong stay as they are).
std::string_view without_fragment(std::string_view uri);
std::string decoded_fragment(std::string_view uri);

}  // namespace BELAY_NAMESPACE::schema
