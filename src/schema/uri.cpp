#include "schema/uri.h"

#include "schema/chars.h"

#include <algorithm>
#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

// The length of the scheme in front of a reference, 0 when there is none. RFC 3986, 3.1.
std::size_t scheme_length(std::string_view s) {
  if (s.empty() || !is_alpha(s.front())) return 0;
  std::size_t n = 1;
  while (n < s.size() && (is_alnum(s[n]) || s[n] == '+' || s[n] == '-' || s[n] == '.')) ++n;
  return n < s.size() && s[n] == ':' ? n : 0;
}

std::string_view take_front(std::string_view& s, std::size_t n) {
  std::string_view taken = s.substr(0, n);
  s.remove_prefix(taken.size());
  return taken;
}

// The path ends at the query or the fragment, the authority at the path, too. Names may be long, and find_first_of()
// asks a function about each character.
std::size_t path_length(std::string_view s) {
  return static_cast<std::size_t>(std::ranges::find_if(s, [](char c) { return c == '?' || c == '#'; }) - s.begin());
}
std::size_t authority_length(std::string_view s) {
  return static_cast<std::size_t>(std::ranges::find_if(s, [](char c) { return c == '/' || c == '?' || c == '#'; }) -
                                  s.begin());
}

// RFC 3986, 5.2.3: what the reference's path replaces is the base's last segment.
std::string merged(const Uri& base, std::string_view path) {
  if (base.has_authority && base.path.empty()) return std::string("/").append(path);
  return std::string(base.path.substr(0, base.path.rfind('/') + 1)).append(path);
}

// RFC 3986, 5.2.4, by segments. There, "a/../b" becomes "/b" and "../b" becomes "b", which for a path that is relative
// to a place nobody knows are other paths: `outward` keeps the latter, and paths without a first "/" never get one.
std::string without_dot_segments(std::string_view path, bool outward) {
  std::string out;
  if (path.starts_with('/')) out += take_front(path, 1);
  std::size_t inside = 0;  // segments in `out` that ".." can remove
  for (bool last = false; !last;) {
    const std::size_t slash = path.find('/');
    last = slash == path.npos;
    const std::string_view segment = take_front(path, slash);
    if (!last) path.remove_prefix(1);
    if (segment == ".") continue;
    if (segment == "..") {
      if (inside > 0) {
        out.pop_back();
        out.erase(out.rfind('/') + 1);
        --inside;
      } else if (outward) {
        out += "../";
      }
      continue;
    }
    out += segment;
    if (!last) out += '/', ++inside;
  }
  return out;
}

// The path without dot segments, and such that it is a path again when the result is read.
std::string normal_path(std::string_view path, bool has_scheme, bool has_authority) {
  const bool relative = !has_scheme && !has_authority && !path.empty() && path.front() != '/';
  std::string out = without_dot_segments(path, relative);
  if (relative) {
    const std::string_view segment = std::string_view(out).substr(0, out.find('/'));
    if (segment.empty() || segment.find(':') != segment.npos) out.insert(0, "./");
  } else if (!has_authority && out.starts_with("//")) {
    out.insert(0, "/.");
  }
  return out;
}

// The host in lower case; not the user, whose name may differ by case, and not the escapes.
void append_authority(std::string_view authority, std::string& out) {
  const std::size_t host = authority.rfind('@') + 1;
  out += take_front(authority, host);
  for (std::size_t i = 0; i < authority.size();) {
    if (is_escape(authority, i)) {
      out += authority.substr(i, 3);
      i += 3;
    } else {
      out += to_lower(authority[i++]);
    }
  }
}

// RFC 3986, 5.3.
std::string composed(const Uri& uri) {
  std::string out;
  if (uri.has_scheme) {
    for (char c : uri.scheme) out += to_lower(c);
    out += ':';
  }
  if (uri.has_authority) {
    out += "//";
    append_authority(uri.authority, out);
  }
  out += normal_path(uri.path, uri.has_scheme, uri.has_authority);
  if (uri.has_query) out.append("?").append(uri.query);
  if (uri.has_fragment) out.append("#").append(uri.fragment);
  return out;
}

}  // namespace

Uri split_uri(std::string_view reference) {
  Uri uri;
  if (const std::size_t n = scheme_length(reference); n > 0) {
    uri.has_scheme = true;
    uri.scheme = take_front(reference, n);
    reference.remove_prefix(1);
  }
  if (reference.starts_with("//")) {
    uri.has_authority = true;
    reference.remove_prefix(2);
    uri.authority = take_front(reference, authority_length(reference));
  }
  uri.path = take_front(reference, path_length(reference));
  if (reference.starts_with('?')) {
    uri.has_query = true;
    reference.remove_prefix(1);
    uri.query = take_front(reference, reference.find('#'));
  }
  if (reference.starts_with('#')) {
    uri.has_fragment = true;
    uri.fragment = reference.substr(1);
  }
  return uri;
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const Uri from = split_uri(base);
  Uri to = split_uri(reference);
  std::string path;  // lives until the result is composed
  if (!to.has_scheme) {
    to.has_scheme = from.has_scheme;
    to.scheme = from.scheme;
    if (!to.has_authority) {
      to.has_authority = from.has_authority;
      to.authority = from.authority;
      if (to.path.empty()) {
        to.path = from.path;
        if (!to.has_query) {
          to.has_query = from.has_query;
          to.query = from.query;
        }
      } else if (to.path.front() != '/') {
        path = merged(from, to.path);
        to.path = path;
      }
    }
  }
  return composed(to);
}

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

std::string decoded_fragment(std::string_view uri) {
  const std::string_view fragment = split_uri(uri).fragment;
  std::string out;
  out.reserve(fragment.size());
  for (std::size_t i = 0; i < fragment.size(); ++i) {
    if (is_escape(fragment, i)) {
      out += static_cast<char>(hex_value(fragment[i + 1]) * 16 + hex_value(fragment[i + 2]));
      i += 2;
    } else {
      out += fragment[i];
    }
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::schema
