// What must hold for every schema and every value. Each gives a sentence that says what does not hold, or nothing.
// Shared by the case runner, the property tests and the fuzz targets.
#pragma once

#include "tree.h"

#include <belay/schema.h>

#include <string>
#include <string_view>

namespace belay::check {

/// Compiling twice gives the same, an error says where and what, and a schema outlives its document.
std::string compile_fault(json::Value schema, const schema::CompileOptions& options);

/// valid() and check() agree, and what check() says is coherent: in order, bounded, about values and keywords that are
/// there. `schema_text` is the document that the schema was compiled from.
std::string check_fault(const schema::Schema& schema, json::Value schema_text, json::Value value,
                        const Limits& limits = {});

/// Aligning gives a valid value by the edits that it lists and by no others, or nothing; what is valid stays as it is;
/// aligning the result changes nothing; the grade is that of the worst edit.
std::string align_fault(const schema::Schema& schema, json::Value value, const Limits& limits = {});

/// The value after the edits, made one after the other on plain nodes. A sentence in `fault` when one cannot be made.
/// Strings in other case carry a mark that same_but_for_case() knows.
Tree replayed(Tree tree, const std::vector<schema::AlignEdit>& edits, std::string& fault);
bool same_but_for_case(const Tree& replayed, const Tree& other);

/// What a JSON Pointer leads to; nothing when it leads nowhere.
std::optional<json::Value> value_at(json::Value root, std::string_view pointer);

/// "kind grade /path (note)", for messages.
std::string describe(const schema::AlignEdit& edit);
std::string describe(const schema::Violation& violation);

}  // namespace belay::check
