#include "schema_report.h"

#include "json_string.h"
#include "places.h"
#include "report.h"
#include "strict_text.h"
#include "terminal.h"
#include "words.h"

#include <belay/json/locate.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <utility>

namespace belay::cli {
namespace {

// What an edit did, as half a sentence behind the place.
std::string_view words(schema::AlignKind kind) {
  using enum schema::AlignKind;
  switch (kind) {
    case number_from_string: return "a numeric string is now the number";
    case string_from_number: return "a number is now a string of its digits";
    case boolean_from_string: return "the string is now the boolean";
    case item_to_list: return "a single item is now a list of one";
    case json_in_string: return "the string held JSON, which now stands in its place";
    case enum_case: return "the value is now spelled as the schema spells it";
    case null_dropped: return "a null is left out, since the member may be absent";
    case near_key: return "the key is taken for ";
    case unknown_key_dropped: return "a member is left out, since the schema does not know it";
  }
  return "a change";
}

void write_finding(TextSink& out, const Finding& finding) {
  const schema::Violation& v = finding.violation;
  out << R"({"path":)" << json_string(v.path) << R"(,"keyword":)" << json_string(v.keyword) << R"(,"message":)"
      << json_string(for_shell(v.message)) << R"(,"schema_path":)" << json_string(v.schema_path);
  if (const auto& at = finding.position)
    out << R"(,"line":)" << std::to_string(at->line) << R"(,"column":)" << std::to_string(at->column) << R"(,"offset":)"
        << std::to_string(at->offset) << "}";
  else
    out << R"(,"line":null,"column":null,"offset":null})";
}

void write_edit(TextSink& out, const schema::AlignEdit& edit) {
  out << R"({"kind":")" << schema::name(edit.kind) << R"(","grade":")" << json::name(edit.grade) << R"(","path":)"
      << json_string(edit.path);
  if (edit.kind == schema::AlignKind::near_key) out << R"(,"to":)" << json_string(edit.note);
  out << "}";
}

Findings not_json(const json::Error& error, std::string_view text) {
  schema::Violation v;
  v.keyword = error.kind == json::ErrorKind::limit ? "limit" : "json";
  v.message = why_not_json(error, text);
  return {{{std::move(v), error.position}}, 1};
}

// With --mend: a text that has no value even so, or several of which one would be checked.
std::optional<Findings> not_one_value(const json::Reading& reading) {
  schema::Violation v;
  v.keyword = reading.error.kind == json::ErrorKind::limit ? "limit" : "json";
  if (reading.verdict.word() == json::Word::broken)
    v.message = for_shell(reading.error.message);
  else if (reading.verdict.count > 1)
    v.message =
        std::to_string(reading.verdict.count) + " values where one is wanted; `belay repair` writes them one a line";
  else
    return std::nullopt;
  return Findings{{{std::move(v), reading.error ? std::optional(reading.error.position) : std::nullopt}}, 1};
}

}  // namespace

Findings find_places(schema::Report report, std::optional<std::string_view> text) {
  Findings findings;
  findings.total = report.total;
  json::Locator locator(text.value_or(""));  // violations come in the order of the values
  for (schema::Violation& v : report.violations) {
    std::optional<Position> at;
    if (text) at = locator.find(v.node).value_or(Position{});
    findings.listed.push_back({std::move(v), at});
  }
  return findings;
}

Checked check_text(const schema::Schema& schema, Checking how, const json::Reading& reading, std::string_view text) {
  Checked out;
  const bool strict = reading.verdict.word() == json::Word::valid;
  if (!how.mend && !strict) {
    out.findings = not_json(reading.error, text);
    return out;
  }
  if (how.mend)
    if (auto found = not_one_value(reading)) {
      out.findings = *std::move(found);
      return out;
    }
  const json::Value value = reading.document.root();
  if (how.align) out.aligned = schema.align(value);
  schema::doubt_respelled(out.aligned, reading);
  // Places in a text that was changed are not known.
  if (!out.aligned.valid)
    out.findings = find_places(schema.check(value), strict ? std::optional<std::string_view>(text) : std::nullopt);
  return out;
}

json::Word Checked::verdict(const json::Reading& reading) const {
  json::Verdict verdict = reading.verdict;
  verdict.grade = std::max(verdict.grade, aligned.grade());
  return verdict.word();
}

Exit Checked::exit(Checking how, const json::Reading& reading) const {
  if (!valid()) return Exit::failed;
  return how.mend && verdict(reading) == json::Word::guessed ? Exit::doubtful : Exit::done;
}

void write_findings(Output& err, std::string_view name, const Findings& findings) {
  for (const Finding& f : findings.listed) {
    err << name << ":";
    if (f.position) err << std::to_string(f.position->line) << ":" << std::to_string(f.position->column) << ":";
    err << " " << printable(for_shell(f.violation.message)) << " (" << printable(f.violation.keyword) << ")\n";
  }
  if (const std::uint64_t more = findings.total - findings.listed.size(); more > 0)
    err << name << ": and " << std::to_string(more) << (more == 1 ? " more error" : " more errors")
        << "; --limit violations=N lists more\n";
}

void write_edits(Output& err, const std::vector<schema::AlignEdit>& edits) {
  for (const schema::AlignEdit& e : edits) {
    err << (e.path.empty() ? "the value" : printable(e.path)) << ": " << words(e.kind);
    if (e.kind == schema::AlignKind::near_key) err << printable(e.note);
    err << " (" << schema::name(e.kind) << ", " << json::name(e.grade) << ")\n";
  }
}

void write_mends(Output& err, std::string_view name, std::string_view text, const json::Reading& reading) {
  Places places;
  places.note(text);
  for (const json::Edit& e : reading.edits) {
    const std::uint64_t offset = e.length == 0 ? places.shown(e.offset) : e.offset;
    err << name << ":";
    if (const auto at = places.find(offset))
      err << std::to_string(at->line) << ":" << std::to_string(at->column) << ":";
    else
      err << " byte " << std::to_string(offset) << ":";
    err << " " << words(e.kind).what << " (" << json::name(e.kind) << ", " << json::name(e.grade) << ")\n";
  }
  if (const std::uint64_t more = reading.edits_total - reading.edits.size(); more > 0)
    err << name << ": and " << std::to_string(more) << (more == 1 ? " more change" : " more changes")
        << "; --limit edits=N lists more\n";
}

void write_doubt(Output& err) { err << "Look at the value before you use it: something in it was guessed.\n"; }

void write_schema_report(TextSink& out, const Checked& checked, Checking how, const json::Reading& reading) {
  const Findings& findings = checked.findings;
  out << R"({"valid":)" << (checked.valid() ? "true" : "false") << R"(,"errors":[)";
  for (bool first = true; const Finding& f : findings.listed) {
    if (!std::exchange(first, false)) out << ",";
    write_finding(out, f);
  }
  out << R"(],"errors_total":)" << std::to_string(findings.total);
  if (how.mend) {
    out << R"(,"verdict":")" << json::name(checked.verdict(reading)) << R"(","mends":)";
    write_edits(out, reading.edits);
    out << R"(,"mends_total":)" << std::to_string(reading.edits_total);
  }
  if (how.align) {
    out << R"(,"value":)" << (checked.valid() ? json::to_string(checked.value(reading).root()) : "null")
        << R"(,"edits":[)";
    for (bool first = true; const schema::AlignEdit& e : checked.aligned.edits) {
      if (!std::exchange(first, false)) out << ",";
      write_edit(out, e);
    }
    out << "]";
  }
  out << "}\n";
}

void write_bad_schema_report(Output& out, const schema::CompileError& error) {
  out << R"({"valid":null,"error":{"where":)" << json_string(error.where) << R"(,"message":)"
      << json_string(for_shell(error.message)) << "}}\n";
}

}  // namespace belay::cli
