// Arguments in Python's and Gemma's notation: tables of what is read, at every cut.
#include "text_members_reading.h"

#include <gtest/gtest.h>

namespace belay::check {
namespace {

struct Case {
  std::string_view input;
  std::string_view value;
  std::string_view edits = "";
  bool done = true;
};

void expect(const Case& c, MembersOptions options) {
  SCOPED_TRACE(printable(c.input));
  const MembersReading got = read_members({c.input}, options);
  EXPECT_EQ(got.value, c.value);
  EXPECT_EQ(to_text(got.edits), c.edits);
  EXPECT_EQ(got.done, c.done);
  EXPECT_EQ(got.fault, "");
  EXPECT_EQ(members_cut_difference(c.input, options), "");
}

text::Shape shape_of_text(std::string_view schema) { return text::shape_of(root_of(document_of(schema))); }

TEST(MembersPython, natural_notation_needs_no_edit) {
  const Case cases[] = {
      {")", "{}"},
      {" \n ) rest", "{}"},
      {"x=1)", R"({"x":1})"},
      {"x=1, y='a',)", R"({"x":1,"y":"a"})"},
      {" x = 1 ,\n  y\t=\n\"b\" \n)", R"({"x":1,"y":"b"})"},
      {"x=1, # one, 'two'\n y=2 # three\n)", R"({"x":1,"y":2})"},
      {"x=1 \\\n, y=2)", R"({"x":1,"y":2})"},
      {"a=True,b=False,c=None,d=true,e=false,f=null)", R"({"a":true,"b":false,"c":null,"d":true,"e":false,"f":null})"},
      {"a=-1,b=+1,c=1_000,d=0x1F,e=0b101,f=0o17,g=00)", R"({"a":-1,"b":1,"c":1000,"d":31,"e":5,"f":15,"g":0})"},
      {"a=1.,b=.5,c=1e5,d=-1.5E-3,e=1_0.0_1,f=0x_ff)", R"({"a":1,"b":0.5,"c":1e5,"d":-1.5E-3,"e":10.01,"f":255})"},
      {"a=123456789012345678901234567890)", R"({"a":123456789012345678901234567890})"},
      {"a=0xFFFFFFFFFFFFFFFF)", R"({"a":18446744073709551615})"},
      {"a=[1, 'b', [], {}, ()],)", R"({"a":[1,"b",[],{},[]]})"},
      {"a=(1, 2), b=(1,), c=(1), d=('x'), e=((1, 2), 3))", R"({"a":[1,2],"b":[1],"c":1,"d":"x","e":[[1,2],3]})"},
      {"a={'k': 1, \"l\": {'m': [True]}, })", R"({"a":{"k":1,"l":{"m":[true]}}})"},
      {"a={'k, }': 1, \"\"\"l\"\"\": 2})", R"({"a":{"k, }":1,"l":2}})"},
      {"a='', b=\"\", c='''''', d=\"\"\"\"\"\")", R"({"a":"","b":"","c":"","d":""})"},
      {"a='it\\'s', b=\"say \\\"hi\\\"\", c='\"', d=\"'\")", R"({"a":"it's","b":"say \"hi\"","c":"\"","d":"'"})"},
      {"a='''it's\n\"fine\" ''x''')", R"({"a":"it's\n\"fine\" ''x"})"},
      {"a=\"\"\"def f():\n\tpass # )\n\"\"\")", "{\"a\":\"def f():\\n\\tpass # )\\n\"}"},
      {"a='\\n\\t\\\\\\x41\\101\\u00e9\\U0001F600\\0')", "{\"a\":\"\\n\\t\\\\AA\xC3\xA9\xF0\x9F\x98\x80\\u0000\"}"},
      {"a='\\a\\b\\f\\r\\v')", R"({"a":"\u0007\b\f\r\u000b"})"},
      {"a='one \\\ntwo', b='x\\\r\ny')", R"({"a":"one two","b":"xy"})"},
      {"a=r'\\d+\\'x', b=R\"C:\\new\", c=u'u')", R"({"a":"\\d+\\'x","b":"C:\\new","c":"u"})"},
      {"a='\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80')", "{\"a\":\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}"},
      {"\xC3\xA9t\xC3\xA9=1, _x1=2)", "{\"\xC3\xA9t\xC3\xA9\":1,\"_x1\":2}"},
      {"a=')', b='<|tool_call_end|>')", R"j({"a":")","b":"<|tool_call_end|>"})j"},
      {"a={'x': (1), 'y': ('p', 'q')})", R"({"a":{"x":1,"y":["p","q"]}})"},
  };
  for (const Case& c : cases) expect(c, {.notation = kPython});
}

TEST(MembersPython, safe_edits) {
  const Case cases[] = {
      {"a='x' 'y')", R"({"a":"xy"})", "concatenated safe 6+1"},
      {"a=('x'\n  \"y\"  # c\n r'\\z'))", R"({"a":"xy\\z"})", "concatenated safe 9+1, concatenated safe 19+2"},
      {"a={'x' 'y': 1, r'\\d' \"z\" : 2})", R"({"a":{"xy":1,"\\dz":2}})",
       "concatenated safe 7+1, concatenated safe 21+1"},
      {"a='\\d')", R"({"a":"\\d"})", "unknown_escape safe 3+1"},
      {"a=TRUE, b=none)", R"({"a":true,"b":null})", "literal_spelling safe 2+4, literal_spelling safe 10+4"},
      {"a='x\ny')", R"({"a":"x\ny"})", "control_character safe 4+1"},
      {"a:1)", R"({"a":1})", "colon_spelling safe 1+1"},
      {"a=>1)", R"({"a":1})", "colon_spelling safe 1+2"},
      {"'a'=1, \"b\": 2)", R"({"a":1,"b":2})",
       "quote_spelling safe 0+1, quote_spelling safe 7+1, colon_spelling safe 10+1"},
      {"a={'k'=1, name: 2})", R"({"a":{"k":1,"name":2}})", "colon_spelling safe 6+1, unquoted_key safe 10+4"},
      {"a=1,,b=2)", R"({"a":1,"b":2})", "doubled_comma safe 4+1"},
      {",a=1)", R"({"a":1})", "leading_comma safe 0+1"},
      {"a=1; b=2)", R"({"a":1,"b":2})", "comma_spelling safe 3+1"},
      {"a='\\ud83d\\ude00')", "{\"a\":\"\xF0\x9F\x98\x80\"}", "foreign_escape safe 3+12"},
      {"max-results=1)", R"({"max-results":1})", "unquoted_key safe 0+11"},
  };
  for (const Case& c : cases) expect(c, {.notation = kPython});
}

TEST(MembersPython, guesses) {
  const Case cases[] = {
      {"a=b'x', b=f'{y}', c=Rb'\\z')", R"({"a":"x","b":"{y}","c":"\\z"})",
       "string_prefix guess 2+1, string_prefix guess 10+1, string_prefix guess 20+2"},
      {"a='\\N{DASH}')", R"({"a":"\\N{DASH}"})", "unknown_escape guess 3+2"},
      {"a='C:\\temp\\data')", R"({"a":"C:\temp\\data"})", "unknown_escape guess 10+1"},
      {"a='\\d\\n')", R"({"a":"\\d\n"})", "unknown_escape guess 3+1"},
      {"a='\\x4', b='\\u12')", R"({"a":"\\x4","b":"\\u12"})", "broken_escape guess 3+3, broken_escape guess 12+4"},
      {"a='\\ud83d')", "{\"a\":\"\xEF\xBF\xBD\"}", "lone_surrogate guess 3+6"},
      {"a='x\xFFy\xC3')", "{\"a\":\"x\xEF\xBF\xBDy\xEF\xBF\xBD\"}", "invalid_utf8 guess 4+1, invalid_utf8 guess 6+1"},
      {"a=nan, b=-inf)", R"({"a":null,"b":null})", "foreign_literal guess 2+3, foreign_literal guess 9+4"},
      {"a=007)", R"({"a":7})", "foreign_number guess 2+3"},
      {"a=0x1FFFFFFFFFFFFFFFF)", R"({"a":"0x1FFFFFFFFFFFFFFFF"})", "unquoted_string guess 2+19"},
      {"a={1, 2}, b={'x'})", R"({"a":[1,2],"b":["x"]})", "wrong_opener guess 2+1, wrong_opener guess 12+1"},
      {"a={1: 'x', None: 2})", R"({"a":{"1":"x","None":2}})", "unquoted_key guess 3+1, unquoted_key guess 11+4"},
      {"a=1, a=2, b=3)", R"({"a":1,"b":3})", "duplicate_key guess 5+1"},
      {"a=New York, b=x)", R"({"a":"New York","b":"x"})", "unquoted_string guess 2+8, unquoted_string guess 14+1"},
      {"a=1 b=2)", R"({"a":1,"b":2})", "missing_comma guess 4+0"},
      {"a='x' b=2)", R"({"a":"x","b":2})", "missing_comma guess 6+0"},
      {"a=[1 2 'x'])", R"({"a":[1,2,"x"]})", "missing_comma guess 5+0, missing_comma guess 7+0"},
      {"a=[1,,2])", R"({"a":[1,2]})", "doubled_comma guess 5+1"},
      {"a=, b=1)", R"({"a":null,"b":1})", "missing_value guess 2+0"},
      {"a=)", R"({"a":null})", "missing_value guess 2+0"},
      {"1, 'x', b=2)", R"({"b":2})", "missing_key guess 0+0, missing_key guess 3+0"},
      {"foo, b=2)", R"({"b":2})", "missing_key guess 0+0, unquoted_string guess 0+3"},
      {"a=date(2024, 1, 2))", R"({"a":[2024,1,2]})", "wrapper_call guess 2+5"},
      {"a=Decimal('1.5'))", R"({"a":"1.5"})", "wrapper_call guess 2+8"},
      {"a=Point(x=1, y=2))", R"({"a":{"x":1,"y":2}})", "wrapper_call guess 2+6"},
      {"a=now())", R"({"a":null})", "wrapper_call guess 2+4"},
      {"**{'a': 1, 'b': 2}, c=3)", R"({"a":1,"b":2,"c":3})", "stray_bytes guess 0+2"},
      {"{'a': 1})", R"({"a":1})", "wrong_opener guess 0+1"},
      {"**kw, c=3)", R"({"c":3})", "stray_bytes guess 0+4"},
      {"a=[1, 2)", R"({"a":[1,2]})", "missing_closer guess 7+0"},
      {"a=[1, 2})", R"({"a":[1,2]})", "wrong_closer guess 7+1"},
      {"a=[1, 2]])", R"({"a":[1,2]})", "surplus_closer guess 8+1"},
      {"a=1]", R"({"a":1})", "wrong_closer guess 3+1"},
      {"a='say 'hi' now', b=1)", R"({"a":"say 'hi' now","b":1})", "inner_quote guess 7+1, inner_quote guess 10+1"},
      {"a='it's', b=1)", R"({"a":"it's","b":1})", "inner_quote guess 5+1"},
      {"a='x\ny' 'z')", R"({"a":"x\nyz"})", "control_character safe 4+1, concatenated guess 8+1"},
      {"a='x' + 'y')", R"({"a":"xy"})", "concatenated guess 6+3"},
      {"a=['x' 'y'])", R"({"a":["xy"]})", "concatenated guess 7+1"},
      {"a=['x', 'y' 'z'])", R"({"a":["x","yz"]})", "concatenated guess 12+1"},
      {"a=('x' 'y', 'z'))", R"({"a":["xy","z"]})", "concatenated guess 7+1"},
      {"a='x'.upper(), b=1)", R"({"a":"x","b":1})", "stray_bytes guess 5+8"},
      {"a='x' % (1, 'b)'), b=1)", R"({"a":"x","b":1})", "stray_bytes guess 6+11"},
      {"a=1 + 2)", R"({"a":"1 + 2"})", "unquoted_string guess 2+5"},
      {"a=[1, ...])", R"({"a":[1]})", "ellipsis guess 6+3"},
      {"a=..., b=1)", R"({"a":null,"b":1})", "ellipsis guess 2+3"},
      {"...)", R"({})", "ellipsis guess 0+3"},
      {"a=d['k, l'], b=1)", R"({"a":"d['k, l']","b":1})", "unquoted_string guess 2+9"},
  };
  for (const Case& c : cases) expect(c, {.notation = kPython});
}

TEST(MembersPython, what_is_cut_shows_only_what_was_delimited) {
  const Case cases[] = {
      {"", "{}", "", false},
      {"a", "{}", "", false},
      {"a=", "{}", "", false},
      {"a=12", "{}", "", false},
      {"a=12,", R"({"a":12})", "", false},
      {"a='x", R"({"a":"x"})", "", false},
      {"a='x\\", R"({"a":"x"})", "broken_escape guess 4+1", false},
      {"a='x'", R"({"a":"x"})", "", false},
      {"a='''x''", R"({"a":"x''"})", "", false},
      {"a=[1,2", R"({"a":[1]})", "", false},
      {"a={'k", R"({"a":{}})", "", false},
      {"a=(1", "{}", "", false},
      {"a=1 # )", R"({"a":1})", "", false},
  };
  for (const Case& c : cases) expect(c, {.notation = kPython});
}

TEST(MembersPython, an_end_marker_closes_what_is_open) {
  const Case cases[] = {
      {"", "{}", "missing_closer guess 0+0"},
      {"a=12", R"({"a":12})", "missing_closer guess 4+0"},
      {"a=", R"({"a":null})", "missing_value guess 2+0, missing_closer guess 2+0"},
      {"a", "{}", "missing_key guess 0+0, unquoted_string guess 0+1, missing_closer guess 1+0"},
      {"a='x", R"({"a":"x"})", "missing_quote guess 4+0, missing_closer guess 4+0"},
      {"a=[{'k': 'v'", R"({"a":[{"k":"v"}]})",
       "missing_closer guess 12+0, missing_closer guess 12+0, missing_closer guess 12+0"},
      {"a=now(", R"({"a":null})", "wrapper_call guess 2+4, missing_closer guess 6+0, missing_closer guess 6+0"},
      {"a='x' y z", R"({"a":"x' y z"})", "inner_quote guess 4+1, missing_quote guess 9+0, missing_closer guess 9+0"},
  };
  for (const Case& c : cases) expect(c, {.notation = kPython, .close = true});
}

TEST(MembersPython, the_shape_names_positional_arguments) {
  const text::Shape shape = shape_of_text(R"({"properties":{"city":{"type":"string"},"n":{"type":"integer"}}})");
  MembersOptions options{.notation = kPython, .shape = &shape};
  expect({"'Paris', 2)", R"({"city":"Paris","n":2})", "missing_key guess 0+0, missing_key guess 9+0"}, options);
  expect({"'Paris', n=2)", R"({"city":"Paris","n":2})", "missing_key guess 0+0"}, options);
  expect(
      {"r'a', 2, 3)", R"({"city":"a","n":2})", "missing_key guess 0+0, missing_key guess 6+0, missing_key guess 9+0"},
      options);
  expect({"n=1, 'x', city='y')", R"({"n":1,"city":"x"})", "missing_key guess 5+0, duplicate_key guess 10+4"}, options);
  expect({"Paris, 1)", R"({"city":"Paris","n":1})",
          "missing_key guess 0+0, unquoted_string guess 0+5, missing_key guess 7+0"},
         options);
  expect({"{'city': 'x'})", R"({"city":"x"})", "wrong_opener guess 0+1"}, options);
  const text::Shape nested = shape_of_text(R"({"properties":{"where":{"type":"object"}}})");
  options.shape = &nested;
  expect({"{'city': 'x'})", R"({"where":{"city":"x"}})", "missing_key guess 0+0"}, options);
}

TEST(MembersScript, natural_notation_needs_no_edit) {
  const Case cases[] = {
      {"}", "{}"},
      {"city:<|\"|>Paris<|\"|>,x:1}<tool_call|>", R"({"city":"Paris","x":1})"},
      {"a:<|\"|>x \"y\" \\n\n{},<|<tool_call|><|\"|>}", R"({"a":"x \"y\" \\n\n{},<|<tool_call|>"})"},
      {"a:-7,b:1.5e3,c:true,d:false,e:null}", R"({"a":-7,"b":1.5e3,"c":true,"d":false,"e":null})"},
      {" a : [ 1 , <|\"|>x<|\"|> , [] ] , b : { c : { } } }", R"({"a":[1,"x",[]],"b":{"c":{}}})"},
      {"<|\"|>a b<|\"|>:1,my-key:2}", R"({"a b":1,"my-key":2})"},
      {"a:<|\"|><|\"|>}", R"({"a":""})"},
      {"a:<|\"|>\xE2\x82\xAC<|\"|>}", "{\"a\":\"\xE2\x82\xAC\"}"},
  };
  for (const Case& c : cases) expect(c, {.notation = kScript});
  expect({"city:<escape>Pa<ris<escape>,x:1}", R"({"city":"Pa<ris","x":1})"},
         {.notation = {text::Notation::Language::script, "<escape>"}});
}

TEST(MembersScript, deviations_are_edits) {
  const Case cases[] = {
      {"a:\"x\\n\\u00e9\",'b':'y'}", "{\"a\":\"x\\n\xC3\xA9\",\"b\":\"y\"}",
       "quote_spelling safe 2+1, quote_spelling safe 14+1, quote_spelling safe 18+1"},
      {"a:True,b:None}", R"({"a":true,"b":null})", "literal_spelling safe 2+4, literal_spelling safe 9+4"},
      {"a:1,}", R"({"a":1})", "trailing_comma safe 3+1"},
      {"a=1}", R"({"a":1})", "colon_spelling safe 1+1"},
      {"a:0x1F,b:1_0}", R"({"a":31,"b":10})", "number_spelling safe 2+4, foreign_number guess 9+3"},
      {"a:New York,b:2}", R"({"a":"New York","b":2})", "unquoted_string guess 2+8"},
      {"a:10:30}", R"({"a":"10:30"})", "unquoted_string guess 2+5"},
      {"a:1 b:2}", R"({"a":1,"b":2})", "missing_comma guess 4+0"},
      {"a:[1,2}", R"({"a":[1,2]})", "missing_closer guess 6+0"},
      {"a:1)", R"({"a":1})", "wrong_closer guess 3+1"},
      {"{a:1}}", R"({"a":1})", "wrong_opener guess 0+1"},
      {"<|\"|>x<|\"|>}", "{}", "missing_key guess 0+0"},
      {"a:1,a:2}", R"({"a":1})", "duplicate_key guess 4+1"},
      {"a:(1,2)}", R"({"a":[1,2]})", "wrong_opener guess 2+1"},
      {"a:<|\"|>\xFF<|\"|>}", "{\"a\":\"\xEF\xBF\xBD\"}", "invalid_utf8 guess 7+1"},
  };
  for (const Case& c : cases) expect(c, {.notation = kScript});
}

TEST(MembersScript, a_parameter_that_must_be_a_string_takes_its_text) {
  const text::Shape shape = shape_of_text(R"({"properties":{"s":{"type":"string"},"t":{"type":"integer"}}})");
  const MembersOptions options{.notation = kScript, .shape = &shape};
  expect({"s:it's (1) \"x\" b: y,t:1}", R"({"s":"it's (1) \"x\" b: y","t":1})", "unquoted_string guess 2+17"}, options);
  expect({"s:true}", R"({"s":"true"})", "unquoted_string guess 2+4"}, options);
  expect({"s:007}", R"({"s":"007"})", "unquoted_string guess 2+3"}, options);
  expect({"s:7}", R"({"s":7})"}, options);
}

}  // namespace
}  // namespace belay::check
