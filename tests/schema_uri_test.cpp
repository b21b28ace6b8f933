// URI references: the examples of RFC 3986, bases that are not hierarchical, and bases without a scheme.
#include "schema/uri.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace belay::schema {
namespace {

struct Resolution {
  std::string_view base, reference, result;
};

// Section 5.4, normal and abnormal examples; strict in the last one.
TEST(Uri, resolves_the_examples_of_RFC_3986) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  const Resolution rows[] = {
      {kBase, "g:h", "g:h"},
      {kBase, "g", "http://a/b/c/g"},
      {kBase, "./g", "http://a/b/c/g"},
      {kBase, "g/", "http://a/b/c/g/"},
      {kBase, "/g", "http://a/g"},
      {kBase, "//g", "http://g"},
      {kBase, "?y", "http://a/b/c/d;p?y"},
      {kBase, "g?y", "http://a/b/c/g?y"},
      {kBase, "#s", "http://a/b/c/d;p?q#s"},
      {kBase, "g#s", "http://a/b/c/g#s"},
      {kBase, "g?y#s", "http://a/b/c/g?y#s"},
      {kBase, ";x", "http://a/b/c/;x"},
      {kBase, "g;x", "http://a/b/c/g;x"},
      {kBase, "g;x?y#s", "http://a/b/c/g;x?y#s"},
      {kBase, "", "http://a/b/c/d;p?q"},
      {kBase, ".", "http://a/b/c/"},
      {kBase, "./", "http://a/b/c/"},
      {kBase, "..", "http://a/b/"},
      {kBase, "../", "http://a/b/"},
      {kBase, "../g", "http://a/b/g"},
      {kBase, "../..", "http://a/"},
      {kBase, "../../", "http://a/"},
      {kBase, "../../g", "http://a/g"},
      {kBase, "../../../g", "http://a/g"},
      {kBase, "../../../../g", "http://a/g"},
      {kBase, "/./g", "http://a/g"},
      {kBase, "/../g", "http://a/g"},
      {kBase, "g.", "http://a/b/c/g."},
      {kBase, ".g", "http://a/b/c/.g"},
      {kBase, "g..", "http://a/b/c/g.."},
      {kBase, "..g", "http://a/b/c/..g"},
      {kBase, "./../g", "http://a/b/g"},
      {kBase, "./g/.", "http://a/b/c/g/"},
      {kBase, "g/./h", "http://a/b/c/g/h"},
      {kBase, "g/../h", "http://a/b/c/h"},
      {kBase, "g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {kBase, "g;x=1/../y", "http://a/b/c/y"},
      {kBase, "g?y/./x", "http://a/b/c/g?y/./x"},
      {kBase, "g?y/../x", "http://a/b/c/g?y/../x"},
      {kBase, "g#s/./x", "http://a/b/c/g#s/./x"},
      {kBase, "g#s/../x", "http://a/b/c/g#s/../x"},
      {kBase, "http:g", "http:g"},
  };
  for (const Resolution& row : rows) EXPECT_EQ(resolve_uri(row.base, row.reference), row.result) << row.reference;
}

TEST(Uri, resolves_against_other_bases) {
  const Resolution rows[] = {
      // The path is dropped up to its last slash, or has none.
      {"http://a", "g", "http://a/g"},
      {"http://a", "", "http://a"},
      {"http://a?q", "#", "http://a?q#"},
      {"http://a/b#old", "#new", "http://a/b#new"},
      {"http://a/b#old", "", "http://a/b"},
      {"http://a/b?q", "?", "http://a/b?"},
      {"http://a//b//c", "../d", "http://a//b/d"},
      {"http://a/b/../c", "#s", "http://a/c#s"},
      {"file:///a/b", "c", "file:///a/c"},
      // Not hierarchical: only a fragment, a query or another URI means something.
      {"urn:example:root", "#/definitions/a", "urn:example:root#/definitions/a"},
      {"urn:example:root#x", "", "urn:example:root"},
      {"urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed", "#a", "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#a"},
      {"tag:example.com,2026:a", "#b", "tag:example.com,2026:a#b"},
      {"urn:example:root", "?+x", "urn:example:root?+x"},
      {"urn:example:root", "urn:example:other", "urn:example:other"},
      {"urn:example:root", "http://a/b", "http://a/b"},
      {"urn:example:a/b", "c", "urn:example:a/c"},
      // Without a scheme.
      {"", "", ""},
      {"", "a", "a"},
      {"", "#a", "#a"},
      {"", "/a/../b", "/b"},
      {"", "http://A/b/./c", "http://a/b/c"},
      {"schema.json", "#a", "schema.json#a"},
      {"schema.json", "other.json", "other.json"},
      {"/a/b", "c", "/a/c"},
      {"/a/b", "../../../c", "/c"},
      {"//host/a", "b", "//host/b"},
      {"//host", "b", "//host/b"},
      {"a/b", "../c", "c"},
      {"a/b", "../../c", "../c"},
      {"../a", "../b", "../../b"},
      {"a/b/c", "..", "a/"},
      {"a/b", "..", "./"},
      {"a", ".", "./"},
      {"a", "..", "../"},
      // What would read as something else.
      {"a/b", "../x:y", "./x:y"},
      {"", "./x:y", "./x:y"},
      {"a/b", "..//c", ".//c"},
      {"/a", "/.//b", "/.//b"},
      {"file:/a", "/.//b", "file:/.//b"},
      {"http://a/b", "/.//c", "http://a//c"},
      // Case.
      {"", "HTTP://User@Example.COM:80/A?B#C", "http://User@example.com:80/A?B#C"},
      {"URN:Example:A", "#B", "urn:Example:A#B"},
      {"", "http://a%2FB/%7e", "http://a%2Fb/%7e"},
      // No scheme, though there is a colon.
      {"http://a/b", "1:c", "http://a/1:c"},
      {"http://a/b", "x_y:c", "http://a/x_y:c"},
      {"http://a/b", "c?d:e", "http://a/c?d:e"},
  };
  for (const Resolution& row : rows)
    EXPECT_EQ(resolve_uri(row.base, row.reference), row.result) << row.base << " with " << row.reference;
}

TEST(Uri, tells_empty_parts_from_missing_ones) {
  Uri uri = split_uri("s://u@h:1/p/q?x?y#z#");
  EXPECT_EQ(uri.scheme, "s");
  EXPECT_EQ(uri.authority, "u@h:1");
  EXPECT_EQ(uri.path, "/p/q");
  EXPECT_EQ(uri.query, "x?y");
  EXPECT_EQ(uri.fragment, "z#");
  EXPECT_TRUE(uri.has_scheme && uri.has_authority && uri.has_query && uri.has_fragment);

  uri = split_uri("//?#");
  EXPECT_TRUE(!uri.has_scheme && uri.has_authority && uri.has_query && uri.has_fragment);
  EXPECT_TRUE(uri.authority.empty() && uri.path.empty() && uri.query.empty() && uri.fragment.empty());

  uri = split_uri("a/b:c");
  EXPECT_EQ(uri.path, "a/b:c");
  EXPECT_FALSE(uri.has_scheme || uri.has_authority || uri.has_query || uri.has_fragment);

  uri = split_uri(":a");
  EXPECT_EQ(uri.path, ":a");
  EXPECT_FALSE(uri.has_scheme);
}

TEST(Uri, separates_and_decodes_the_fragment) {
  struct Row {
    std::string_view uri, rest, fragment;
  };
  const Row rows[] = {
      {"http://a/b", "http://a/b", ""},
      {"http://a/b#", "http://a/b", ""},
      {"http://a/b%20#c%25d", "http://a/b%20", "c%d"},
      {"#/a~1b/c%22%2f%2F", "", "/a~1b/c\"//"},
      {"#%E2%82%ac", "", "\xE2\x82\xAC"},
      {"#%", "", "%"},
      {"#%4", "", "%4"},
      {"#%4g%41", "", "%4gA"},
      {"#%%41", "", "%A"},
      {"#%2541", "", "%41"},
      {"#a#b", "", "a#b"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(without_fragment(row.uri), row.rest) << row.uri;
    EXPECT_EQ(decoded_fragment(row.uri), row.fragment) << row.uri;
  }
}

std::string some_reference() {
  std::string out;
  for (auto n = *rc::gen::inRange(0, 9); n > 0; --n)
    out += *rc::gen::element<std::string>("/", "/", "..", ".", "a", "B", ":", "//", "?", "#", "%41", "@", "a:");
  return out;
}

RC_GTEST_PROP(UriProperty, a_result_is_in_its_final_form, ()) {
  const std::string result = resolve_uri(some_reference(), some_reference());
  if (resolve_uri("", result) != result) RC_FAIL(result + " becomes " + resolve_uri("", result));
  const Uri uri = split_uri(result);
  const std::string itself = resolve_uri(result, uri.has_fragment ? "#" + std::string(uri.fragment) : "");
  if (itself != result) RC_FAIL(result + " as its own base becomes " + itself);
}

RC_GTEST_PROP(UriProperty, scheme_and_authority_are_the_reference_s_or_the_base_s, ()) {
  const std::string base = some_reference(), reference = some_reference();
  const std::string result = resolve_uri(base, reference);
  const Uri from = split_uri(base), to = split_uri(reference), got = split_uri(result);
  const bool own = to.has_scheme || to.has_authority;
  if (got.has_scheme != (to.has_scheme || from.has_scheme) ||
      got.has_authority != (own ? to.has_authority : from.has_authority) || got.fragment != to.fragment)
    RC_FAIL(base + " with " + reference + " gives " + result);
}

RC_GTEST_PROP(UriProperty, references_in_a_row_lead_where_they_lead_from_a_known_place, ()) {
  // What is relative to an unknown place stays right when that place becomes known.
  const auto segments = [] {
    std::string out = *rc::gen::element<std::string>("a", "b", "..", ".", "");
    for (auto n = *rc::gen::inRange(0, 5); n > 0; --n)
      out += "/" + *rc::gen::element<std::string>("a", "b", "..", ".", "");
    return out;
  };
  const std::string first = resolve_uri("", segments()), second = segments();
  RC_PRE(!first.starts_with('/') && !second.starts_with('/'));
  const std::string place = "http://h/1/2/3/4/5/6/7/8/9/0/1/2/3/4/";
  const std::string joined = resolve_uri(first, second);
  if (resolve_uri(place, joined) != resolve_uri(resolve_uri(place, first), second))
    RC_FAIL(first + " with " + second + " gives " + joined);
}

}  // namespace
}  // namespace belay::schema
