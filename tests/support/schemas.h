// Random schemas, values that they are about, and the small damage that aligning is for.
#pragma once

#include "choices.h"
#include "tree.h"

#include <belay/schema.h>

namespace belay::check {

/// A schema with any of the draft's keywords, references and recursion included. It compiles: no reference leads
/// nowhere, and none leads back to itself for the same value. Recursion goes through the values inside.
Tree make_schema(Choices& choices, schema::Draft draft);

/// A value made from what the schema wants, mostly satisfying it, with some of what models do instead: numbers in
/// strings, one item for a list, JSON in strings, other case, nulls, nearly the right names, names that nobody knows.
Tree make_value_for(const Tree& schema, Choices& choices);

/// The same with the members of every object in another order.
Tree shuffled(const Tree& tree, Choices& choices);

/// The engine's document of a tree.
json::Document document_of(const Tree& tree);

}  // namespace belay::check
