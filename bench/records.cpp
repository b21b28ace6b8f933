#include "records.h"

#include "documents.h"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace belay::bench {
namespace {

constexpr std::size_t kRecord = 700;
constexpr std::size_t kFile = 64 * kMB;
constexpr std::size_t kDifferent = 4000;  // some 3 MB: more than a processor learns by heart
constexpr std::size_t kOneIn = 20;        // damaged: 5 %

// Damage of one record each; by turns with a record that was cut.
constexpr std::array kDamages{Damage::todo_python, Damage::todo_trailing_commas, Damage::todo_missing_commas,
                              Damage::todo_unquoted_keys};

std::string damaged(Shape shape, std::size_t which) {
  const std::size_t kind = which / kOneIn % (kDamages.size() + 1);
  if (kind > 0) return make_damaged(kDamages[kind - 1], kRecord);
  std::string cut = make_document(shape, kRecord, which);
  cut.resize(cut.size() * 2 / 3);
  return cut;
}

std::string make_records(Shape shape, bool with_damage) {
  std::string some, out;
  for (std::size_t i = 0; i < kDifferent; ++i) {
    const std::string record = with_damage && i % kOneIn == 0 ? damaged(shape, i) : make_document(shape, kRecord, i);
    if (record.contains('\n')) throw std::runtime_error("a record has a line feed in it");
    (some += record) += '\n';
  }
  while (out.size() < kFile) out += some;
  return out;
}

}  // namespace

bool write_records(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  bool good = true;
  for (Shape shape : kShapes)
    for (bool with_damage : {false, true}) {
      const std::string text = make_records(shape, with_damage);
      const std::string file = std::to_string(list.size()) + ".jsonl";
      std::ofstream(folder / file, std::ios::binary) << text;
      good = good && std::filesystem::file_size(folder / file) == text.size();
      list.push_back({{"records", name(shape)}, {"damaged", with_damage}, {"bytes", text.size()}, {"file", file}});
    }
  std::ofstream index(folder / "records.json");
  index << list.dump(1) << '\n';
  return good && index.good();
}

}  // namespace belay::bench
