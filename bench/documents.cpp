#include "documents.h"

#include "random_documents.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace belay::bench {
namespace {

/// How a document is spelled; the default is valid JSON.
struct Spelling {
  char quote = '"';
  bool quoted_keys = true;
  bool raw_newlines = false;
  bool raw_quotes = false;       ///< double quotes inside strings are not escaped
  bool unknown_escapes = false;  ///< backslashes inside strings are not escaped
  bool trailing_commas = false;
  bool missing_commas = false;
  bool comments = false;
  bool python = false;  ///< True, False, None
};

void append_unicode_escape(std::string& out, std::uint32_t character) {
  char buffer[16];
  if (character < 0x10000) {
    std::snprintf(buffer, sizeof buffer, "\\u%04x", character);
  } else {
    character -= 0x10000;
    std::snprintf(buffer, sizeof buffer, "\\u%04x\\u%04x", 0xd800 + (character >> 10), 0xdc00 + (character & 0x3ff));
  }
  out += buffer;
}

/// The character at text[i], which must start one; its length goes to `length`.
std::uint32_t decode(std::string_view text, std::size_t i, std::size_t& length) {
  auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i + k])); };
  if (byte(0) < 0xe0) return length = 2, (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  if (byte(0) < 0xf0) return length = 3, (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  return length = 4, (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
}

/// The inside of a string. Every fourth character beyond ASCII becomes a \u escape.
void append_escaped(std::string& out, std::string_view text, const Spelling& spelling) {
  std::size_t beyond_ascii = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\n' && !spelling.raw_newlines)
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\\' && !spelling.unknown_escapes)
      out += "\\\\";
    else if (c == '"' && spelling.quote == '"' && !spelling.raw_quotes)
      out += "\\\"";
    else if (c == '\'' && spelling.quote == '\'')
      out += "\\'";
    else if (static_cast<unsigned char>(c) >= 0x80) {
      std::size_t length = 0;
      std::uint32_t character = decode(text, i, length);
      if (++beyond_ascii % 4 == 0)
        append_unicode_escape(out, character);
      else
        out += text.substr(i, length);
      i += length - 1;
    } else
      out += c;
  }
}

void append_string(std::string& out, std::string_view text, const Spelling& spelling) {
  out += spelling.quote;
  append_escaped(out, text, spelling);
  out += spelling.quote;
}

void append_key(std::string& out, std::string_view key, const Spelling& spelling) {
  if (spelling.quoted_keys)
    append_string(out, key, spelling);
  else
    out += key;
  out += ':';
}

// ---- code -----------------------------------------------------------------------------------------------------------

// One block of source text; @ is replaced by the block's number. Lines that start with // hold quotes which a reader
// can tell from the end of the string, lines with a regular expression hold escapes that JSON lacks.
constexpr std::string_view kSource[] = {
    "import { readFile, writeFile } from \"node:fs/promises\";\n",
    "import type { Session@ } from './sessions/session@.js';\n",
    "\n",
    "/** Handles one request of kind @; see «docs/handlers.md» for the order of events. */\n",
    "export async function handle@(request: Request, session: Session@): Promise<Response> {\n",
    "  const started = performance.now();\n",
    "  if (!request.headers.get(\"authorization\")?.startsWith(\"Bearer \")) {\n",
    "    return new Response(JSON.stringify({ error: \"not allowed\", code: 401 }), { status: 401 });\n",
    "  }\n",
    "  // the \"strict\" flag of the session wins over the \"mode\" of the request\n",
    "  const name = (await request.text()).trim().replace(/[^\\w.]+\\d*/g, '');\n",
    "  const path = `data/${session.user}/${name}.json`;\n",
    "  for (const [index, item] of session.items.entries()) {\n",
    "    if (item.kind === 'note' && item.text.length > 0) {\n",
    "\t\tconsole.log(`${index}: ${item.text} → ${item.kind}`);\n",
    "    } else if (item.done) {\n",
    "      total += item.weight * 0.25 + index;\n",
    "    }\n",
    "  }\n",
    "  // Grüße aus Köln, 日本語のコメント, and a rocket 🚀 for the \"release\" notes\n",
    "  const body = await readFile(path, \"utf8\").catch(() => \"{}\");\n",
    "  await writeFile(path, JSON.stringify({ ...JSON.parse(body), seen: Date.now() }, null, 2));\n",
    "  return new Response(body, { headers: { \"content-type\": \"application/json; charset=utf-8\" } });\n",
    "}\n",
    "\n",
};

bool is_comment(std::string_view line) { return line.find("// ") != line.npos; }

std::string numbered(std::string_view line, std::size_t block) {
  std::string out;
  for (char c : line) {
    if (c == '@')
      out += std::to_string(block);
    else
      out += c;
  }
  return out;
}

/// `style_of(line, n)` gives the spelling of the n-th line of the source text.
template <class StyleOf>
std::string code(std::size_t bytes, const Spelling& outer, StyleOf&& style_of) {
  std::string out = "{";
  out.reserve(bytes + 256);
  append_key(out, "path", outer);
  append_string(out, "src/app.ts", outer);
  out += ',';
  append_key(out, "content", outer);
  out += outer.quote;
  for (std::size_t n = 0; out.size() + 48 < bytes; ++n) {
    std::string_view line = kSource[n % std::size(kSource)];
    append_escaped(out, numbered(line, n / std::size(kSource)), style_of(line, n));
  }
  out += outer.quote;
  if (outer.trailing_commas) out += ',';
  out += '}';
  return out;
}

// ---- todo -----------------------------------------------------------------------------------------------------------

constexpr std::string_view kTodos[] = {
    "Write the migration for the sessions table and run it on staging",
    "Ask Zoë about the naïve retry loop",
    "Replace the \"legacy\" client in src/net/client.ts by the new one, then delete the old tests",
    "Check that the parser keeps line ends\nand tabs as they are",
    "Update the changelog, the README and the screenshots",
    "Measure start-up time again with 10,000 entries in the store",
    "Fix C:\\temp handling in the path joiner; add a case",
    "文書を更新する: the Japanese guide lacks the new section",
    "Remove the feature flag for streaming once the rollout is at 100 %",
    "Reproduce the flaky test on two cores, with a slow disk",
    "Make the error say which limit was passed and how to raise it, with a link",
    "Ship it 🚀 and tell the channel",
    "Look for other callers of handleRequest before its signature changes",
    "Sort imports; no other change in this commit, please",
    "Move the fixtures of the old suite into cases/ and run each at every split of its input",
    "Review the pull request about timeouts → answer the open questions",
    "Add an index on (user_id, created_at)",
};
constexpr std::string_view kStatuses[] = {"pending", "completed", "in_progress", "pending", "pending"};

/// `style_of(n)` gives the spelling of the n-th item.
template <class StyleOf>
std::string todo(std::size_t bytes, const Spelling& outer, StyleOf&& style_of) {
  std::string out = "{";
  out.reserve(bytes + 256);
  append_key(out, "todos", outer);
  out += '[';
  for (std::size_t n = 0; out.size() + 64 < bytes; ++n) {
    Spelling style = style_of(n);
    if (n > 0 && !style.missing_commas) out += ',';
    if (n > 0 && style.missing_commas) out += ' ';
    if (style.comments) out += n % 2 == 0 ? " // the next one\n" : " /* still open */ ";
    out += '{';
    append_key(out, "id", style);
    out += std::to_string(n + 1);
    out += style.missing_commas ? ' ' : ',';
    append_key(out, "text", style);
    append_string(out, kTodos[n % std::size(kTodos)], style);
    out += ',';
    append_key(out, "status", style);
    append_string(out, kStatuses[n % std::size(kStatuses)], style);
    if (style.python) {
      out += ',';
      append_key(out, "done", style);
      out += n % 3 == 0 ? "True" : n % 3 == 1 ? "False" : "None";
    }
    if (style.trailing_commas) out += ',';
    out += '}';
  }
  if (outer.trailing_commas) out += ',';
  out += "]}";
  return out;
}

struct DamageText {
  Damage damage;
  std::string_view name;
  std::string_view what;
};
constexpr DamageText kDamageTexts[] = {
    {Damage::code_mixed, "code, mixed",
     "keys without quotes, a trailing comma; raw newlines, inner quotes and unknown escapes by turns"},
    {Damage::code_single_quotes, "code, single quotes", "single quotes around every string"},
    {Damage::code_raw_newlines, "code, raw newlines", "line ends inside the string not escaped"},
    {Damage::code_inner_quotes, "code, inner quotes", "quotes in every comment not escaped"},
    {Damage::code_unknown_escapes, "code, unknown escapes", "backslashes of regular expressions not escaped"},
    {Damage::todo_mixed, "todo, mixed", "every item damaged, in one of eight ways by turns"},
    {Damage::todo_python, "todo, Python", "single quotes, True, False and None"},
    {Damage::todo_trailing_commas, "todo, trailing commas", "a comma before every closing bracket"},
    {Damage::todo_missing_commas, "todo, missing commas", "no comma between items, and after ids"},
    {Damage::todo_unquoted_keys, "todo, unquoted keys", "no key has quotes"},
    {Damage::todo_comments, "todo, comments", "a comment before every item"},
};
constexpr Damage kDamages[] = {
    Damage::code_mixed,           Damage::code_single_quotes, Damage::code_raw_newlines, Damage::code_inner_quotes,
    Damage::code_unknown_escapes, Damage::todo_mixed,         Damage::todo_python,       Damage::todo_trailing_commas,
    Damage::todo_missing_commas,  Damage::todo_unquoted_keys, Damage::todo_comments,
};

const DamageText& text_of(Damage damage) {
  return *std::find_if(std::begin(kDamageTexts), std::end(kDamageTexts),
                       [&](const DamageText& t) { return t.damage == damage; });
}

std::string mixed_code(std::size_t bytes) {
  return code(bytes, {.quoted_keys = false, .trailing_commas = true}, [](std::string_view line, std::size_t n) {
    bool regular_expression = line.find("/g") != line.npos;
    return Spelling{.raw_newlines = n % 3 == 0, .raw_quotes = is_comment(line), .unknown_escapes = regular_expression};
  });
}

std::string mixed_todo(std::size_t bytes) {
  return todo(bytes, {.trailing_commas = true}, [](std::size_t n) {
    switch (n % 8) {
      case 0: return Spelling{.quote = '\''};
      case 1: return Spelling{.quoted_keys = false};
      case 2: return Spelling{.trailing_commas = true};
      case 3: return Spelling{.python = true};
      case 4: return Spelling{.raw_newlines = true};
      case 5: return Spelling{.comments = true};
      case 6: return Spelling{.missing_commas = true};
      default: return Spelling{.quote = '\'', .python = true};
    }
  });
}

}  // namespace

std::string_view name(Shape shape) {
  switch (shape) {
    case Shape::code: return "code";
    case Shape::todo: return "todo";
    case Shape::random_code: return "random code";
    case Shape::random_todo: return "random todo";
  }
  return "";
}

std::string make_document(Shape shape, std::size_t bytes, std::size_t which) {
  switch (shape) {
    case Shape::code: return code(bytes, {}, [](std::string_view, std::size_t) { return Spelling{}; });
    case Shape::todo: return todo(bytes, {}, [](std::size_t) { return Spelling{}; });
    case Shape::random_code: return random_code(bytes, which);
    case Shape::random_todo: return random_todo(bytes, which);
  }
  return {};
}

std::vector<std::string> make_documents(Shape shape, std::size_t bytes) {
  const bool random = shape == Shape::random_code || shape == Shape::random_todo;
  const std::size_t count = random ? std::clamp<std::size_t>(4 * kMB / bytes, 1, 1'000) : 1;
  std::vector<std::string> documents;
  for (std::size_t i = 0; i < count; ++i) documents.push_back(make_document(shape, bytes, i));
  return documents;
}

std::span<const Damage> damages() { return kDamages; }
std::string_view name(Damage damage) { return text_of(damage).name; }
std::string_view describe(Damage damage) { return text_of(damage).what; }

std::string make_damaged(Damage damage, std::size_t bytes) {
  auto every_line = [&](const Spelling& s) { return code(bytes, s, [s](std::string_view, std::size_t) { return s; }); };
  auto every_item = [&](const Spelling& s) { return todo(bytes, s, [s](std::size_t) { return s; }); };
  switch (damage) {
    case Damage::code_mixed: return mixed_code(bytes);
    case Damage::code_single_quotes: return every_line({.quote = '\''});
    case Damage::code_raw_newlines: return every_line({.raw_newlines = true});
    case Damage::code_inner_quotes:
      return code(bytes, {},
                  [](std::string_view line, std::size_t) { return Spelling{.raw_quotes = is_comment(line)}; });
    case Damage::code_unknown_escapes: return every_line({.unknown_escapes = true});
    case Damage::todo_mixed: return mixed_todo(bytes);
    case Damage::todo_python: return every_item({.quote = '\'', .python = true});
    case Damage::todo_trailing_commas: return every_item({.trailing_commas = true});
    case Damage::todo_missing_commas:
      return todo(bytes, {}, [](std::size_t) { return Spelling{.missing_commas = true}; });
    case Damage::todo_unquoted_keys: return every_item({.quoted_keys = false});
    case Damage::todo_comments: return every_item({.comments = true});
  }
  return {};
}

}  // namespace belay::bench
