#include "random_documents.h"

#include "random.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace belay::bench {
namespace {

constexpr std::string_view kScripts[] = {"é", "ß",  "ñ",  "ж",  "ш",  "λ",  "→",  "“",
                                         "”", "日", "本", "語", "中", "한", "🚀", "😀"};
constexpr std::string_view kEscapes[] = {"\\n", "\\n", "\\n", "\\\"",    "\\\"",    "\\\\",
                                         "\\t", "\\r", "\\/", "\\u00e9", "\\u2014", "\\ud83d\\ude80"};
constexpr char kLetters[] = "etaoinshrdlucmfwypvbgkjqxz,.;:(){}[]<>=+-_*/'0123456789";

/// The inside of a string of about `size` bytes. `escapes` and `scripts`: one in so many characters, 0 for none.
void append_random_text(std::string& out, Random& random, std::size_t size, std::size_t escapes, std::size_t scripts) {
  std::size_t end = out.size() + size;
  std::size_t word = random.between(1, 9);
  while (out.size() < end) {
    if (escapes != 0 && random.one_in(escapes))
      out += random.pick(kEscapes);
    else if (scripts != 0 && random.one_in(scripts))
      out += random.pick(kScripts);
    else if (word-- == 0)
      out += ' ', word = random.between(1, 9);
    else
      out += kLetters[random.below(random.one_in(6) ? std::size(kLetters) - 1 : 26)];
  }
}

void append_long_string(std::string& out, Random& random, std::size_t most) {
  constexpr std::size_t kEscapeRates[] = {0, 160, 40, 20, 12};
  constexpr std::size_t kScriptRates[] = {0, 0, 200, 30, 3};
  std::size_t size = std::min(most, std::size_t{1} << random.between(4, 13));
  size = random.between(size / 2, size);
  out += '"';
  append_random_text(out, random, size, random.pick(kEscapeRates), random.pick(kScriptRates));
  out += '"';
}

constexpr std::string_view kWords[] = {"path",  "content",  "name",     "id",          "text",       "status",
                                       "type",  "value",    "line",     "file_path",   "old_string", "new_string",
                                       "items", "children", "enabled",  "description", "timeout_ms", "query",
                                       "url",   "options",  "is_regex", "start",       "end",        "tags"};

/// A key that is not in `used` yet.
std::string random_key(Random& random, std::vector<std::string>& used) {
  std::string key;
  do {
    if (random.one_in(2)) {
      key = random.pick(kWords);
    } else {
      key.clear();
      for (std::size_t n = random.between(2, 14); n > 0; --n) key += kLetters[random.below(26)];
    }
  } while (std::find(used.begin(), used.end(), key) != used.end());
  used.push_back(key);
  return key;
}

void append_random_number(std::string& out, Random& random) {
  char buffer[40];
  switch (random.below(6)) {
    case 0: out += std::to_string(random.below(10)); break;
    case 1: out += std::to_string(random.below(100'000)); break;
    case 2: out += std::to_string(-static_cast<long>(random.below(1'000'000'000))); break;
    case 3: out += std::to_string(random.below(1'000'000'000'000'000'000)); break;
    case 4:
      std::snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(random.between(1, 6)),
                    static_cast<double>(random.below(1'000'000)) / 997.0);
      out += buffer;
      break;
    default:
      std::snprintf(buffer, sizeof buffer, "%.*e", static_cast<int>(random.between(1, 12)),
                    static_cast<double>(random.below(1'000'000)) / 997.0);
      out += buffer;
  }
}

void append_random_value(std::string& out, Random& random, std::size_t depth) {
  std::size_t kind = random.below(depth < 8 ? 20 : 13);
  if (kind < 7) {
    out += '"';
    append_random_text(out, random, random.below(random.one_in(4) ? 60 : 20), random.one_in(6) ? 12 : 0,
                       random.one_in(8) ? 6 : 0);
    out += '"';
  } else if (kind < 11) {
    append_random_number(out, random);
  } else if (kind < 13) {
    constexpr std::string_view kLiterals[] = {"true", "false", "null"};
    out += random.pick(kLiterals);
  } else if (kind < 16) {
    std::string_view space = random.one_in(8) ? " " : "";
    out += '[';
    for (std::size_t n = random.below(7), i = 0; i < n; ++i) {
      if (i > 0) (out += ',') += space;
      append_random_value(out, random, depth + 1);
    }
    out += ']';
  } else {
    std::string_view space = random.one_in(8) ? " " : "";
    std::vector<std::string> used;
    out += '{';
    for (std::size_t n = random.below(7), i = 0; i < n; ++i) {
      if (i > 0) (out += ',') += space;
      ((out += '"') += random_key(random, used)) += "\":";
      out += space;
      append_random_value(out, random, depth + 1);
    }
    out += '}';
  }
}

}  // namespace

std::string random_todo(std::size_t bytes, std::size_t which) {
  Random random(0xbe1a + bytes + (which << 32));
  std::string out = "[";
  out.reserve(bytes + 65'536);
  while (out.size() + 1 < bytes) {
    if (out.size() > 1) out += ',';
    std::size_t before = out.size();
    append_random_value(out, random, 0);
    // A small document must not end with one large value.
    if (out.size() > bytes + bytes / 8 && before > 1) out.resize(before), out += "0";
  }
  return out += ']';
}

std::string random_code(std::size_t bytes, std::size_t which) {
  Random random(0xc0de + bytes + (which << 32));
  std::string out = "[";
  out.reserve(bytes + 65'536);
  while (out.size() + 1 < bytes) {
    if (out.size() > 1) out += ',';
    auto left = [&] { return bytes > out.size() ? bytes - out.size() : 0; };
    std::vector<std::string> used;
    out += '{';
    for (std::size_t n = random.between(1, 4), i = 0; i < n; ++i) {
      if (i > 0) out += ',';
      ((out += '"') += random_key(random, used)) += "\":";
      if (random.one_in(6)) {
        append_random_number(out, random);
      } else if (random.one_in(8)) {
        out += '[';
        append_long_string(out, random, left());
        out += ",";
        append_long_string(out, random, left());
        out += ']';
      } else {
        append_long_string(out, random, left());
      }
    }
    out += '}';
  }
  return out += ']';
}

}  // namespace belay::bench
