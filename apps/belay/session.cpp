#include "session.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <random>
#include <utility>

namespace belay::cli {
namespace {

using Problem = std::unexpected<std::string>;

store::Owner owner() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return {"belay@" + std::string(host.data()), ::getpid()};
}

}  // namespace

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string new_task_id() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (unsigned char& b : bytes) b = static_cast<unsigned char>(device());
  }
  const auto now = static_cast<std::uint64_t>(now_ms());
  for (std::size_t i = 0; i < 6; ++i) bytes[i] = static_cast<unsigned char>(now >> (40 - 8 * i) & 255);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x70);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

std::expected<std::unique_ptr<store::Store>, std::string> open_store(const std::string& folder) {
  store::SqliteOptions options;
  options.path = folder + "/tasks.db";
  auto store = store::open_sqlite(options);
  if (!store) return Problem(store.error().message);
  return std::move(*store);
}

std::expected<Earlier, std::string> earlier_task(store::Store& store, const std::string& id) {
  auto whole = store.find(id);
  if (!whole) return Problem(whole.error().message);
  auto record = store.load_first(*whole);
  if (!record) return Problem(record.error().message);
  if (auto* created = std::get_if<task::Created>(&record->body))
    return Earlier{std::move(*whole), std::move(created->settings)};
  return Problem("the task " + *whole + " has no beginning");
}

std::expected<Earlier, std::string> last_task_of(store::Store& store, const std::string& workspace) {
  constexpr int kPages = 20;
  store::Listing listing;
  listing.at_most = 50;
  for (int page = 0; page < kPages; ++page) {
    auto tasks = store.list(listing);
    if (!tasks) return Problem(tasks.error().message);
    for (const store::Summary& summary : *tasks)
      if (auto found = earlier_task(store, summary.id); found && found->settings.workspace == workspace) return found;
    if (tasks->size() < listing.at_most) break;
    listing.before = tasks->back().id;
  }
  return Problem("there is no task to continue in " + workspace + "; belay tasks list shows those of other folders");
}

std::expected<std::unique_ptr<store::Claim>, std::string> claim_task(store::Store& store, const std::string& id) {
  auto claim = store.claim(id, owner());
  if (!claim) return Problem(claim.error().message);
  return std::move(*claim);
}

std::expected<Resumed, std::string> resume_task(store::Store& store, const std::string& id,
                                                task::Conditions conditions) {
  auto records = store.load_tree(id);
  if (!records) return Problem(records.error().message);
  auto tree = task::Tree::resume(std::move(conditions), *records);
  if (!tree) return Problem("the task " + id + " cannot go on: " + tree.error());
  Resumed out{std::move(*tree), std::nullopt, std::move(*records)};
  std::erase_if(out.records, [&](const task::Record& record) { return record.task != id; });
  if (out.tree.finished())
    for (const task::Record& record : out.records)
      if (const auto* end = std::get_if<task::Finished>(&record.body)) out.end = *end;
  return out;
}

}  // namespace belay::cli
