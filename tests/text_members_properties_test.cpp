// Random values written in Python's and Gemma's notation read back as they were, at random cuts; noise is read alike.
#include "damage.h"
#include "support/decisions.h"
#include "text_members_reading.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace belay::check {
namespace {

std::string space(Choices& choices, bool python) {
  static constexpr std::string_view kSpaces[] = {"", "", "", " ", "\n", "\t ", "\r\n", " # c'\")\n", "\\\n"};
  return std::string(kSpaces[choices.below(python ? 9 : 7)]);
}

std::string python_string(std::string_view content, Choices& choices) {
  static constexpr std::string_view kQuotes[] = {"'", "\"", "'''", "\"\"\""};
  const std::string quote(choices.pick(kQuotes));
  std::string out = choices.once_in(8) ? "u" + quote : quote;
  for (char c : content) {
    if (c == '\\' || c == '"' || c == '\'')
      out.append("\\") += c;
    else if (static_cast<unsigned char>(c) < 0x20 || (static_cast<unsigned char>(c) < 0x80 && choices.once_in(16))) {
      static constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      out.append(choices.flip() ? "\\x" : "\\u00").append({kHex[byte >> 4], kHex[byte & 15]});
    } else {
      out += c;
    }
  }
  return out + quote;
}

bool is_name(std::string_view key) {
  if (key.empty() || (key[0] >= '0' && key[0] <= '9')) return false;
  for (char c : key)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_') return false;
  return true;
}

class Scribe {
 public:
  Scribe(Choices& choices, bool python) : choices_(choices), python_(python) {}

  std::string members(const Tree& object, bool root) {
    std::string out = gap();
    for (std::size_t i = 0; i < object.items.size(); ++i) {
      if (i) out += "," + gap();
      const std::string& key = object.keys[i];
      if (python_)
        out += root ? key : python_string(key, choices_);
      else
        out += is_name(key) && key != "None" ? key : kToken + key + kToken;
      out += gap() + (python_ && root ? "=" : ":") + gap() + value(object.items[i]) + gap();
    }
    if (python_ && !object.items.empty() && choices_.once_in(4)) out += "," + gap();
    return out;
  }

 private:
  std::string gap() { return space(choices_, python_); }
  std::string value(const Tree& tree) {
    switch (tree.kind) {
      case Tree::Kind::null: return python_ && choices_.flip() ? "None" : "null";
      case Tree::Kind::no: return python_ && choices_.flip() ? "False" : "false";
      case Tree::Kind::yes: return python_ && choices_.flip() ? "True" : "true";
      case Tree::Kind::number: return tree.text;
      case Tree::Kind::string: return python_ ? python_string(tree.text, choices_) : kToken + tree.text + kToken;
      case Tree::Kind::object: return "{" + members(tree, false) + "}";
      case Tree::Kind::array: break;
    }
    const bool tuple = python_ && choices_.once_in(3);
    std::string out = (tuple ? "(" : "[") + gap();
    for (std::size_t i = 0; i < tree.items.size(); ++i) out += (i ? "," + gap() : "") + value(tree.items[i]) + gap();
    if (tuple && tree.items.size() == 1) out += ",";
    return out + (tuple ? ")" : "]");
  }
  static inline const std::string kToken = "<|\"|>";
  Choices& choices_;
  bool python_;
};

// Names of Python have no quotes: give the root's members such names.
void rename(Tree& object) {
  for (std::size_t i = 0; i < object.keys.size(); ++i)
    if (!is_name(object.keys[i])) object.keys[i] = "k" + std::string(i + 1, '_');
}

std::string written(Tree& tree, Choices& choices, bool python) {
  if (python) rename(tree);
  return Scribe(choices, python).members(tree, true) + (python ? ")" : "}");
}

void read_back(bool python) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  Tree tree = make_document(choices);
  const std::string input = written(tree, choices, python);
  const MembersOptions options{.notation = python ? kPython : kScript};
  for (std::size_t i = 0; i < 4; ++i) {
    const MembersReading got = read_members(cut_at(input, make_cuts(input.size(), choices)), options);
    if (!got.fault.empty()) RC_FAIL(got.fault + "\n" + printable(input));
    if (got.value != to_text(tree) || !got.edits.empty() || !got.done || got.consumed != input.size())
      RC_FAIL(printable(input) + "\nis " + printable(to_text(tree)) + "\ngot " + printable(got.value) + "\n" +
              to_text(got.edits));
  }
}

RC_GTEST_PROP(MembersProperty, values_written_in_python_read_back, ()) { read_back(true); }
RC_GTEST_PROP(MembersProperty, values_written_in_script_read_back, ()) { read_back(false); }

RC_GTEST_PROP(MembersProperty, noise_reads_alike_at_any_cut, ()) {
  const std::string bytes = *decisions();
  Choices choices(bytes);
  const bool python = choices.flip();
  MembersOptions options{.notation = python ? kPython : kScript};
  options.close = choices.flip();
  Tree tree = make_document(choices);
  std::string input = written(tree, choices, python);
  add_noise(input, choices);
  if (std::string why = members_cut_difference(input, options, 24); !why.empty())
    RC_FAIL(why + "\n" + printable(input));
}

}  // namespace
}  // namespace belay::check
