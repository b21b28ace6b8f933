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

std::expected<std::string, std::string> wanted_task(store::Store& store, const SessionWish& wish) {
  if (wish.resume) {
    auto id = store.find(*wish.resume);
    if (!id) return Problem(id.error().message);
    return *id;
  }
  store::Listing listing;
  listing.at_most = 1;
  auto tasks = store.list(listing);
  if (!tasks) return Problem(tasks.error().message);
  if (tasks->empty()) return Problem("there is no task to continue; belay run \"task\" begins one");
  return tasks->front().id;
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

std::expected<Session, std::string> open_session(const std::string& folder, SessionWish wish) {
  Session out;
  store::SqliteOptions options;
  options.path = folder + "/tasks.db";
  auto store = store::open_sqlite(options);
  if (!store) return Problem(store.error().message);
  out.store = std::move(*store);
  if (!wish.resume && !wish.last) {
    out.id = new_task_id();
    out.model = wish.settings.model;
    out.protocol = wish.settings.protocol;
    task::Created created;
    created.settings = std::move(wish.settings);
    created.goal = std::move(wish.goal);
    out.tree.emplace(task::Tree::create(std::move(wish.conditions), out.id, std::move(created)));
    return out;
  }
  auto id = wanted_task(*out.store, wish);
  if (!id) return Problem(std::move(id.error()));
  out.id = std::move(*id);
  if (wish.fork) {
    const std::string copy = new_task_id();
    if (auto forked = out.store->fork(out.id, 0, copy, now_ms()); !forked) return Problem(forked.error().message);
    out.id = copy;
  }
  auto claim = out.store->claim(out.id, owner());
  if (!claim) return Problem(claim.error().message);
  out.claim = std::move(*claim);
  auto records = out.store->load_tree(out.id);
  if (!records) return Problem(records.error().message);
  auto tree = task::Tree::resume(std::move(wish.conditions), *records);
  if (!tree) return Problem("the task " + out.id + " cannot go on: " + tree.error());
  for (const task::Record& record : *records)
    if (const auto* created = std::get_if<task::Created>(&record.body); created && record.task == out.id) {
      out.model = created->settings.model;
      out.protocol = created->settings.protocol;
    }
  out.tree.emplace(std::move(*tree));
  out.resumed = true;
  return out;
}

}  // namespace belay::cli
