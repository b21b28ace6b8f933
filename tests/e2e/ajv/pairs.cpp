// Writes random schemas, values for each, and what Belay says of them: one JSON object a line, for compare.mjs.
//   belay_ajv_pairs SCHEMAS SEED
#include <support/schemas.h>

#include <belay/json.h>
#include <belay/regex.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace belay;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: belay_ajv_pairs SCHEMAS SEED\n");
    return 2;
  }
  constexpr int kValues = 6;
  const auto regexes = regex::make_regexes();
  std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
  for (unsigned long n = std::strtoul(argv[1], nullptr, 10); n > 0; --n) {
    std::string bytes(100 + random() % 600, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    check::Choices choices(bytes);
    schema::CompileOptions options;
    options.draft = n % 3 == 0 ? schema::Draft::draft7 : schema::Draft::draft2020_12;
    options.regexes = regexes.get();
    const check::Tree tree = check::make_schema(choices, *options.draft);
    const json::Document written = check::document_of(tree);
    const auto schema = schema::Schema::compile(written.root(), options);
    if (!schema) {
      std::fprintf(stderr, "%s\ndoes not compile: %s: %s\n", check::to_text(tree).c_str(), schema.error().where.c_str(),
                   schema.error().message.c_str());
      return 1;
    }
    std::string values, answers;
    for (int i = 0; i < kValues; ++i) {
      const check::Tree value = check::make_value_for(tree, choices);
      const json::Document document = check::document_of(value);
      (values += i > 0 ? "," : "") += check::to_text(value);
      (answers += i > 0 ? "," : "") += schema->valid(document.root()) ? "true" : "false";
    }
    std::printf("{\"draft\":\"%s\",\"schema\":%s,\"values\":[%s],\"valid\":[%s]}\n",
                *options.draft == schema::Draft::draft7 ? "7" : "2020-12", check::to_text(tree).c_str(), values.c_str(),
                answers.c_str());
  }
  return 0;
}
