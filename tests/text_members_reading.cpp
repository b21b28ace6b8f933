#include "text_members_reading.h"

#include "support/tree.h"
#include "support/watch.h"

#include <algorithm>

namespace belay::check {
namespace {

constexpr std::uint64_t kStart = 1000;  // the text before the members

}  // namespace

MembersReading read_members(const Pieces& pieces, const MembersOptions& options) {
  MembersReading result;
  json::Builder builder(options.limits);
  text::Receipt receipt(options.limits.edits);
  static const text::Shape kUnknown;
  text::Members members(options.notation, options.shape ? *options.shape : kUnknown, builder, receipt, options.limits);
  std::optional<Shown> last;
  std::string held;
  const auto feed = [&](std::string_view piece, bool final) {
    held += piece;
    const std::size_t n = members.read(held, kStart + result.consumed, final);
    if (n > held.size()) result.fault = "more bytes were taken than there were";
    held.erase(0, n);
    result.consumed += n;
    if (!members.done() && held.size() > (final ? 0u : 512u))
      result.fault = std::to_string(held.size()) + " bytes were left";
    if (!options.watch || members.error()) return;
    const json::MaybePartial value = builder.value();
    if (!value) return;
    Shown shown = copy(*value);
    if (std::string why = unlawful(shown); !why.empty()) result.fault = why;
    if (last)
      if (std::string why = regression(*last, shown); !why.empty()) result.fault = why;
    last = std::move(shown);
  };
  for (std::string_view piece : pieces)
    if (!members.done() && !members.error()) feed(piece, false);
  if (!members.done() && !members.error()) feed("", true);
  if (options.close) members.close_all(kStart + result.consumed);
  result.done = members.done();
  result.error = members.error();
  if (result.error) {
    result.consumed = 0;  // all that came, however much that was
  } else {
    builder.close_all();
    const json::Document document = builder.take();
    result.value = document.empty() ? "" : json::to_string(document.root());
    if (last)
      if (std::string why = regression(*last, to_tree(document.root())); !why.empty()) result.fault = why;
  }
  result.edits = receipt.edits;
  for (json::Edit& edit : result.edits) edit.offset -= kStart;
  result.total = receipt.total;
  result.grade = receipt.grade;
  return result;
}

std::string to_text(const std::vector<json::Edit>& edits) {
  std::string out;
  for (const json::Edit& edit : edits) {
    if (!out.empty()) out += ", ";
    out.append(name(edit.kind)).append(" ").append(name(edit.grade)).append(" ");
    out += std::to_string(edit.offset) + "+" + std::to_string(edit.length);
  }
  return out;
}

std::string difference(const MembersReading& a, const MembersReading& b) {
  if (!a.fault.empty()) return a.fault;
  if (!b.fault.empty()) return b.fault;
  if (a.value != b.value) return "values " + printable(a.value) + " and " + printable(b.value);
  if (a.edits != b.edits) return "edits " + to_text(a.edits) + " and " + to_text(b.edits);
  if (a.total != b.total || a.grade != b.grade) return "receipts";
  if (a.done != b.done) return "done or not";
  if (a.consumed != b.consumed)
    return std::to_string(a.consumed) + " and " + std::to_string(b.consumed) + " bytes taken";
  if (a.error != b.error) return "errors " + a.error.message + " and " + b.error.message;
  return "";
}

std::string members_cut_difference(std::string_view input, const MembersOptions& options, std::size_t max_splits) {
  const MembersReading whole = read_members({input}, options);
  if (std::string why = difference(whole, read_members(chop(input, 1), options)); !why.empty())
    return "byte by byte: " + why;
  const std::size_t step = std::max<std::size_t>(1, input.size() / max_splits);
  for (std::size_t at = 0; at <= input.size(); at += step)
    if (std::string why = difference(whole, read_members({input.substr(0, at), input.substr(at)}, options));
        !why.empty())
      return "cut at " + std::to_string(at) + ": " + why;
  return "";
}

}  // namespace belay::check
