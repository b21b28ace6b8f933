#include "schema.h"

#include "remotes.h"
#include "report.h"
#include "schema_lines.h"
#include "schema_report.h"
#include "strict_text.h"
#include "terminal.h"
#include "words.h"

#include <belay/json/locate.h>
#include <belay/json/writer.h>
#include <belay/regex.h>

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

namespace belay::cli {
namespace {

Exit cannot_check(Output& err, const std::string& reason) {
  err << "belay schema: " << reason << "\n";
  return Exit::usage;
}

// A reader that went away (head, say) knows that it did; anything else must be said.
Exit written(Output& out, Output& err, Exit code) {
  out.finish();
  if (out.error() == 0) return code;
  if (out.error() != EPIPE)
    err << "belay schema: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

void say_that_it_waits(const std::string& path, Output& err) {
  if (path != "-" || ::isatty(STDIN_FILENO) != 1 || !err.is_terminal()) return;
  err << "belay schema: reading what you type; Ctrl-D ends it\n";
  err.flush();
}

// The value that a JSON Pointer leads to.
std::optional<json::Value> follow(json::Value value, std::string_view pointer) {
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string token;
    for (std::size_t i = 0; i < end; ++i) {
      const bool escape = pointer[i] == '~' && i + 1 < end;
      if (escape) ++i;
      token += !escape ? pointer[i] : pointer[i] == '0' ? '~' : '/';
    }
    pointer.remove_prefix(end);
    std::size_t index = 0;
    std::from_chars(token.data(), token.data() + token.size(), index);
    const auto next = value.is_array() ? value.at(index) : value.find(token);
    if (!next) return std::nullopt;
    value = *next;
  }
  return value;
}

// "weather.json:4:15" for a place in the schema itself, a URI with pointer for one in another document.
std::string place_of(const StrictText& source, const std::string& where) {
  if (!where.empty() && !where.starts_with('/')) return printable(where);
  const auto value = follow(source.reading.document.root(), where);
  const auto at = value ? json::locate(source.text, value->index()) : std::nullopt;
  if (!at) return source.name + ": " + printable(where);
  return source.name + ":" + std::to_string(at->line) + ":" + std::to_string(at->column);
}

std::string place_of(const StrictText& text, const Position& at) {
  return text.name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

Exit bad_schema(const SchemaOptions& options, const schema::CompileError& error, const std::string& place, Output& out,
                Output& err) {
  if (options.json) {
    write_bad_schema_report(out, error);
    return written(out, err, Exit::usage);
  }
  err << place << ": " << printable(for_shell(error.message));
  if (!error.where.empty() && !place.ends_with(printable(error.where))) err << " (" << printable(error.where) << ")";
  err << "\nbelay schema: the schema cannot be used, so nothing was checked\n";
  return Exit::usage;
}

// What the library says about the schema is right; which option helps is ours to add.
void explain(schema::CompileError& error, const SchemaOptions& options, const Remotes* remotes) {
  if (error.message.starts_with("$schema is ") && !options.draft) {
    error.message += "; --draft says which one to take it for";
    return;
  }
  const std::size_t from = error.message.find(Remotes::kBase);
  if (from == error.message.npos) {
    if (error.message.starts_with("nothing is known at "))
      error.message += "; nothing is fetched: --remotes DIR gives files for relative references and for " +
                       std::string(Remotes::kBase) + ", others go into $defs under their $id";
    return;
  }
  if (remotes == nullptr) {
    error.message += "; --remotes DIR gives those of " + std::string(Remotes::kBase);
    return;
  }
  const std::string uri = error.message.substr(from, error.message.find_first_of("; ", from) - from);
  if (const std::string_view trouble = remotes->trouble(uri); !trouble.empty())
    error.message += " (" + std::string(trouble) + ")";
}

std::expected<schema::Schema, schema::CompileError> compile(const SchemaOptions& options, const StrictText& source,
                                                            const schema::Regexes& regexes, Remotes* remotes) {
  schema::CompileOptions how;
  how.draft = options.draft;
  how.regexes = &regexes;
  how.formats = options.formats;
  how.limits = options.limits;
  if (remotes != nullptr) {
    // Relative references then lead into the folder.
    how.base = Remotes::kBase;
    how.remotes = [remotes](std::string_view uri) { return remotes->find(uri); };
  }
  auto compiled = schema::Schema::compile(source.reading.document.root(), how);
  if (!compiled) explain(compiled.error(), options, remotes);
  return compiled;
}

Exit report(const SchemaOptions& options, const StrictText& text, const Checked& checked, Output& out, Output& err) {
  const Checking how{.align = options.align, .mend = options.mend};
  if (options.json)
    write_schema_report(out, checked, how, text.reading);
  else if (checked.valid() && options.align)
    write_values(out, checked.value(text.reading));
  const bool guessed = checked.valid() && checked.verdict(text.reading) == json::Word::guessed;
  const Exit code = written(out, err, checked.exit(how, text.reading));
  if (options.json || out.error() != 0) return code;
  write_findings(err, text.name, checked.findings);
  if (options.mend) write_mends(err, text.name, text.text, text.reading);
  write_edits(err, checked.aligned.edits);
  if (guessed) write_doubt(err);
  return code;
}

}  // namespace

Exit check_value(const SchemaOptions& options, Output& out, Output& err) {
  say_that_it_waits(options.schema, err);
  auto source = read_strict_text(options.schema, options.limits);
  if (!source) return cannot_check(err, source.error());
  if (!source->is_json()) {
    const json::Error& error = source->reading.error;
    std::string message = why_not_json(error, source->text);
    const std::string place = place_of(*source, error.position);
    if (options.json) message = place + ": " + message;
    return bad_schema(options, {"", std::move(message)}, place, out, err);
  }
  std::optional<Remotes> remotes;
  if (options.remotes) {
    auto opened = Remotes::open(*options.remotes, options.limits);
    if (!opened) return cannot_check(err, "--remotes: " + opened.error());
    remotes.emplace(std::move(*opened));
  }
  const auto regexes = regex::make_regexes();  // `format: regex` asks it while checking, too
  const auto compiled = compile(options, *source, *regexes, remotes ? &*remotes : nullptr);
  if (!compiled) return bad_schema(options, compiled.error(), place_of(*source, compiled.error().where), out, err);

  if (options.lines.on) return check_lines(options, *compiled, out, err);
  say_that_it_waits(options.file, err);
  auto text =
      options.mend ? read_damaged_text(options.file, options.limits) : read_strict_text(options.file, options.limits);
  if (!text) return cannot_check(err, text.error());
  const Checking how{.align = options.align, .mend = options.mend};
  return report(options, *text, check_text(*compiled, how, text->reading, text->text), out, err);
}

}  // namespace belay::cli
