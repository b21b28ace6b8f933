#include "words.h"

namespace belay::cli {

EditWords words(json::EditKind kind) {
  using enum json::EditKind;
  switch (kind) {
    case byte_order_mark: return {"a byte order mark before the text", "leave the byte order mark out"};
    case odd_space: return {"white space that JSON does not know", "use plain spaces between the parts"};
    case fence: return {"a Markdown fence around the value", "send the value without a fence"};
    case prose: return {"text that is not part of a value", "send the value and nothing else"};
    case special_token: return {"a tag or special token around the value", "send the value without tags"};
    case comment: return {"a comment", "leave comments out"};
    case surplus_closer: return {"a bracket that closes nothing", "close each bracket once"};
    case surplus_separator: return {"a separator outside the value", "send the value and nothing else"};
    case missing_opener: return {"members without the brace before them", "begin the object with {"};
    case quoted_document: return {"quotes around the whole document", "send the object itself, not a string of it"};
    case weak_value: return {"brackets in prose that may be no value", "send the value and nothing else"};
    case trailing_comma: return {"a comma before a closing bracket", "leave the last comma out"};
    case leading_comma: return {"a comma after an opening bracket", "leave the first comma out"};
    case doubled_comma: return {"a comma after a comma", "put one comma between two items"};
    case comma_spelling: return {"another character for a comma", "separate with a plain comma"};
    case missing_comma: return {"no comma between two values", "put a comma between two items"};
    case doubled_colon: return {"a colon after a colon", "put one colon after a key"};
    case colon_spelling: return {"another character for a colon", "put a plain colon after a key"};
    case missing_colon: return {"no colon between key and value", "put a colon after each key"};
    case missing_value:
      return {"a key without a value: null stands for it; at the end of the text the key is left out",
              "give each key a value"};
    case missing_key: return {"a value without a key: left out", "give each value in an object a key"};
    case missing_closer: return {"a bracket that is never closed", "close each bracket"};
    case wrong_closer: return {"a closing bracket of the wrong kind", "close { with } and [ with ]"};
    case wrong_opener: return {"a parenthesis for a bracket", "write arrays with [ and ]"};
    case quote_spelling: return {"other quote characters", "write strings in double quotes"};
    case missing_quote: return {"a string that lacks a quote", "end each string with a double quote"};
    case inner_quote: return {"a quote inside a string, not escaped", "write \\\" for a quote inside a string"};
    case unquoted_key: return {"a key without quotes", "write keys in double quotes"};
    case unquoted_string: return {"a string without quotes", "write strings in double quotes"};
    case string_prefix: return {"a letter before a string's quote", "write strings without a prefix"};
    case concatenated: return {"strings added up with a plus", "write one string"};
    case control_character: return {"a raw control character in a string", "write \\n, \\t or \\u00XX inside strings"};
    case escaped_quote: return {"a quote that needs no backslash", "escape only double quotes"};
    case unknown_escape: return {"an escape that JSON lacks: the backslash stays", "write \\\\ for a backslash"};
    case foreign_escape: return {"an escape of another language", "write \\u00XX, and \\n for a line's end"};
    case broken_escape: return {"\\u without four hexadecimal digits", "write four digits after \\u, or \\\\u"};
    case lone_surrogate: return {"half of a surrogate pair: U+FFFD stands for it", "send both halves, or plain UTF-8"};
    case invalid_utf8: return {"bytes that are not UTF-8: U+FFFD stands for them", "send UTF-8"};
    case literal_spelling: return {"a literal in another spelling", "write true, false and null"};
    case foreign_literal: return {"a literal that JSON lacks: null stands for it", "write null, or a string"};
    case number_spelling: return {"a number in another spelling", "write plain decimal numbers"};
    case foreign_number: return {"a number that JSON does not allow", "write plain decimal numbers"};
    case wrapper_call: return {"a call around a value: its argument stands for it", "send the plain value"};
    case ellipsis: return {"an ellipsis for left-out items", "write all items out"};
    case duplicate_key: return {"a key again in one object: the first stands", "use each key once"};
    case marker_spelling: return {"a marker in another spelling", "write the call's markers exactly"};
    case missing_marker: return {"a marker that is missing", "write all of the call's markers"};
    case surplus_marker: return {"a marker once too often", "write each marker once"};
    case key_alias: return {"another word for name or arguments", "use the keys of the format"};
    case loose_arguments: return {"arguments beside the name", "put the arguments into an object of their own"};
    case tag_in_text: return {"raw text that holds what may be its end", "avoid the call's own tags in its values"};
    case stray_bytes: return {"bytes that fit nowhere: left out", "send the value and nothing else"};
  }
  return {"a change", "send valid JSON"};
}

std::string_view doubt(json::EditKind kind) {
  using enum json::EditKind;
  switch (kind) {
    case odd_space: return "; the whole text may have been escaped";
    case prose: return "; but it may be, or the value a part of it";
    case special_token:
    case fence: return "; the value may be a part of what it marks";
    case comment: return "; it may hide a part of the value";
    case surplus_closer: return "; it may have closed what is missing before the value";
    case surplus_separator: return "; the value may be one of several";
    case leading_comma:
    case doubled_comma: return "; an item may be missing";
    case doubled_colon: return "; it may belong to the value";
    case quote_spelling: return "; the string may end elsewhere";
    case unquoted_key: return "; it may be more than a key";
    case control_character: return "; it may be two strings that lack a quote each";
    case unknown_escape: return "; others in the string may be meant so, too";
    default: return "";
  }
}

std::string_view meaning(json::Word word) {
  using enum json::Word;
  switch (word) {
    case valid: return "JSON as it should be, nothing was changed";
    case mended: return "changed only where one reading was possible";
    case split: return "several values, one after the other";
    case guessed: return "more than one reading was possible";
    case truncated: return "the text was cut off inside a value";
    case broken: return "there is no value to use";
  }
  return "";
}

std::string for_shell(std::string_view message) {
  constexpr std::string_view kBegin = " (Limits::";
  std::string out;
  for (;;) {
    const std::size_t begin = message.find(kBegin);
    const std::size_t end = begin == message.npos ? message.npos : message.find(')', begin);
    if (end == message.npos) return out.append(message);
    out.append(message.substr(0, begin));
    message.remove_prefix(end + 1);
  }
}

std::string_view remedy(json::ErrorKind kind) {
  using enum json::ErrorKind;
  switch (kind) {
    case none:
    case limit:
    case empty:
    case no_value: return "";
    case truncated: return "The value is only what had arrived: do not act on it.";
    case unexpected_byte:
    case bad_escape:
    case bad_number:
    case bad_literal:
    case control_character:
    case invalid_utf8:
    case lone_surrogate:
    case unclosed:
    case trailing_bytes: return "Without --strict it is mended where possible, every change listed.";
  }
  return "";
}

}  // namespace belay::cli
