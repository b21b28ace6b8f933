#include "support/fault_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace belay::check {
namespace {

constexpr std::size_t kSector = 512;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

struct FaultVfs::File {
  sqlite3_file base;
  FaultVfs* vfs;
  std::string* path;  ///< null for files that nobody names
  bool kept;          ///< its content has to survive: a file, a journal, a log
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

struct FaultVfs::Registration {
  sqlite3_vfs vfs{};
  sqlite3_vfs* real = nullptr;
};

// The tables of functions that SQLite calls.
struct FaultVfs::Calls {
  static File* of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
  static FaultVfs* of(sqlite3_vfs* vfs) { return static_cast<FaultVfs*>(vfs->pAppData); }
  static sqlite3_vfs* real(sqlite3_vfs* vfs) { return of(vfs)->registration_->real; }

  static int close(sqlite3_file* file) {
    File* f = of(file);
    const int code = f->real()->pMethods ? f->real()->pMethods->xClose(f->real()) : SQLITE_OK;
    delete f->path;
    return code;
  }
  static int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
    if (int code = of(file)->vfs->judge("read", SQLITE_IOERR_READ)) return code;
    return of(file)->real()->pMethods->xRead(of(file)->real(), to, size, at);
  }
  static int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
    File* f = of(file);
    FaultVfs& vfs = *f->vfs;
    const int code = vfs.judge("write", SQLITE_IOERR_WRITE);
    // A disk gets full in the middle of a write; the power may go there too.
    const int taken = code == SQLITE_OK ? size : size / 2;
    const bool reaches = code == SQLITE_OK || vfs.fault_ != Fault::power;
    if (reaches) {
      if (f->kept)
        vfs.disk(*f->path).changes.push_back(
            {false, at, std::string(static_cast<const char*>(from), static_cast<std::size_t>(taken))});
      const int done = f->real()->pMethods->xWrite(f->real(), from, taken, at);
      if (done != SQLITE_OK) return done;
    } else if (f->kept && vfs.where_ == "write" && !vfs.dark_) {
      // The one write during which the power went: it may be there in parts.
      vfs.disk(*f->path).changes.push_back(
          {false, at, std::string(static_cast<const char*>(from), static_cast<std::size_t>(size))});
    }
    if (code != SQLITE_OK && vfs.fault_ == Fault::power) vfs.dark_ = true;
    return code;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    File* f = of(file);
    if (int code = f->vfs->judge("truncate", SQLITE_IOERR_TRUNCATE)) return code;
    if (f->kept) f->vfs->disk(*f->path).changes.push_back({true, size, {}});
    return f->real()->pMethods->xTruncate(f->real(), size);
  }
  static int sync(sqlite3_file* file, int) {
    File* f = of(file);
    if (int code = f->vfs->judge("sync", SQLITE_IOERR_FSYNC)) return code;
    if (f->kept && !f->vfs->lies_) f->vfs->make_certain(*f->path);
    return SQLITE_OK;
  }
  static int file_size(sqlite3_file* file, sqlite3_int64* size) {
    if (int code = of(file)->vfs->judge("size", SQLITE_IOERR_FSTAT)) return code;
    return of(file)->real()->pMethods->xFileSize(of(file)->real(), size);
  }
  static int lock(sqlite3_file* file, int level) {
    if (int code = of(file)->vfs->judge("lock", SQLITE_IOERR_LOCK)) return code;
    return of(file)->real()->pMethods->xLock(of(file)->real(), level);
  }
  static int unlock(sqlite3_file* file, int level) {
    return of(file)->real()->pMethods->xUnlock(of(file)->real(), level);
  }
  static int check_reserved(sqlite3_file* file, int* held) {
    return of(file)->real()->pMethods->xCheckReservedLock(of(file)->real(), held);
  }
  static int control(sqlite3_file* file, int op, void* argument) {
    return of(file)->real()->pMethods->xFileControl(of(file)->real(), op, argument);
  }
  static int sector_size(sqlite3_file*) { return static_cast<int>(kSector); }
  static int characteristics(sqlite3_file* file) {
    return of(file)->real()->pMethods->xDeviceCharacteristics(of(file)->real());
  }
  static int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
    if (int code = of(file)->vfs->judge("shm_map", SQLITE_IOERR_SHMMAP)) return code;
    return of(file)->real()->pMethods->xShmMap(of(file)->real(), region, size, extend, memory);
  }
  static int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
    if (flags & SQLITE_SHM_LOCK)
      if (int code = of(file)->vfs->judge("shm_lock", SQLITE_IOERR_SHMLOCK)) return code;
    return of(file)->real()->pMethods->xShmLock(of(file)->real(), offset, n, flags);
  }
  static void shm_barrier(sqlite3_file* file) { of(file)->real()->pMethods->xShmBarrier(of(file)->real()); }
  static int shm_unmap(sqlite3_file* file, int remove) {
    return of(file)->real()->pMethods->xShmUnmap(of(file)->real(), remove);
  }

  static int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
    File* f = of(file);
    f->base.pMethods = nullptr;
    f->vfs = of(vfs);
    f->path = nullptr;
    f->kept = path && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    if (int code = f->vfs->judge("open", SQLITE_CANTOPEN)) return code;
    if (f->kept) f->vfs->disk(path);  // as it is before anything is written
    const int code = real(vfs)->xOpen(real(vfs), path, f->real(), flags, out);
    if (code != SQLITE_OK) return code;
    if (path) f->path = new std::string(path);
    if (f->kept) {
      Disk& disk = f->vfs->disk(path);
      if (!disk.exists || disk.removed) disk.made = true;
    }
    f->base.pMethods = &kMethods;
    return SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* path, int sync) {
    if (int code = of(vfs)->judge("delete", SQLITE_IOERR_DELETE)) return code;
    Disk& disk = of(vfs)->disk(path);
    const int code = real(vfs)->xDelete(real(vfs), path, 0);
    if (code != SQLITE_OK) return code;
    disk.removed = true;
    disk.made = false;
    disk.changes.clear();
    if (sync) disk = Disk{};
    return SQLITE_OK;
  }
  static int access(sqlite3_vfs* vfs, const char* path, int flags, int* answer) {
    if (int code = of(vfs)->judge("access", SQLITE_IOERR_ACCESS)) return code;
    return real(vfs)->xAccess(real(vfs), path, flags, answer);
  }
  static int full_path(sqlite3_vfs* vfs, const char* path, int size, char* out) {
    return real(vfs)->xFullPathname(real(vfs), path, size, out);
  }
  static int randomness(sqlite3_vfs* vfs, int size, char* out) { return real(vfs)->xRandomness(real(vfs), size, out); }
  static int sleep(sqlite3_vfs* vfs, int us) { return real(vfs)->xSleep(real(vfs), us); }
  static int time(sqlite3_vfs* vfs, double* out) { return real(vfs)->xCurrentTime(real(vfs), out); }
  static int last_error(sqlite3_vfs*, int, char*) { return 0; }
  static int time64(sqlite3_vfs* vfs, sqlite3_int64* out) { return real(vfs)->xCurrentTimeInt64(real(vfs), out); }

  static const sqlite3_io_methods kMethods;
};

const sqlite3_io_methods FaultVfs::Calls::kMethods = {
    2,         close,          read,    write,       truncate,        sync,    file_size, lock,
    unlock,    check_reserved, control, sector_size, characteristics, shm_map, shm_lock,  shm_barrier,
    shm_unmap, nullptr,        nullptr};

FaultVfs::FaultVfs() : registration_(std::make_unique<Registration>()) {
  name_ = "belay-fault-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
  sqlite3_initialize();
  registration_->real = sqlite3_vfs_find(nullptr);
  sqlite3_vfs& vfs = registration_->vfs;
  vfs.iVersion = 2;
  vfs.szOsFile = static_cast<int>(sizeof(File)) + registration_->real->szOsFile;
  vfs.mxPathname = registration_->real->mxPathname;
  vfs.zName = name_.c_str();
  vfs.pAppData = this;
  vfs.xOpen = Calls::open;
  vfs.xDelete = Calls::remove;
  vfs.xAccess = Calls::access;
  vfs.xFullPathname = Calls::full_path;
  vfs.xRandomness = Calls::randomness;
  vfs.xSleep = Calls::sleep;
  vfs.xCurrentTime = Calls::time;
  vfs.xGetLastError = Calls::last_error;
  vfs.xCurrentTimeInt64 = Calls::time64;
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) std::abort();
}

FaultVfs::~FaultVfs() { sqlite3_vfs_unregister(&registration_->vfs); }

void FaultVfs::plan(Fault fault, std::uint64_t call) {
  fault_ = fault;
  at_ = call;
  calls_ = 0;
  fired_ = dark_ = false;
  where_.clear();
  disks_.clear();
}

int FaultVfs::judge(const char* call, int io_code) {
  if (dark_) return io_code;
  ++calls_;
  if (fault_ == Fault::none || calls_ < at_) return SQLITE_OK;
  const bool stays = fault_ == Fault::full_stays || fault_ == Fault::io_stays;
  if (calls_ > at_ && !stays) return SQLITE_OK;
  const bool is_write = std::strcmp(call, "write") == 0;
  const bool takes_space = is_write || std::strcmp(call, "shm_map") == 0;
  if (fault_ == Fault::full || fault_ == Fault::full_stays) {
    // Only what needs space can fail for the lack of it: the first such call from there on.
    if (!takes_space) {
      if (fault_ == Fault::full) ++at_;
      return SQLITE_OK;
    }
  }
  if (!fired_) where_ = call;
  fired_ = true;
  if (fault_ == Fault::power && !is_write) dark_ = true;  // a write says so itself, after its bytes are noted
  if ((fault_ == Fault::full || fault_ == Fault::full_stays) && is_write) return SQLITE_FULL;
  return io_code;
}

FaultVfs::Disk& FaultVfs::disk(const std::string& path) {
  const auto [at, fresh] = disks_.try_emplace(path);
  if (fresh) {
    // What was there before the plan counts as certain.
    at->second.exists = std::filesystem::exists(path);
    if (at->second.exists) at->second.bytes = content(path);
  }
  return at->second;
}

void FaultVfs::apply(std::string& bytes, const Change& change) {
  const auto at = static_cast<std::size_t>(change.at);
  if (change.truncate) {
    bytes.resize(at);
    return;
  }
  if (bytes.size() < at + change.bytes.size()) bytes.resize(at + change.bytes.size());
  bytes.replace(at, change.bytes.size(), change.bytes);
}

void FaultVfs::make_certain(const std::string& path) {
  Disk& d = disk(path);
  if (d.made || d.removed) {
    d.bytes.clear();
    // SQLite syncs the folder with a new journal or log, and by that everything that was removed from it.
    std::erase_if(disks_,
                  [&](const auto& other) { return other.first != path && other.second.removed && !other.second.made; });
  }
  for (const Change& change : d.changes) apply(d.bytes, change);
  d.changes.clear();
  d.exists = true;
  d.made = d.removed = false;
}

void FaultVfs::settle(Left left, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto chance = [&] { return (random() & 1) != 0; };
  for (auto& [path, d] : disks_) {
    if (left == Left::all) continue;
    const bool keep_name = left == Left::nothing ? false : chance();
    bool exists = d.exists;
    std::string bytes = d.bytes;
    bool changes = true;
    if (d.made && keep_name) {
      exists = true;
      bytes.clear();
    } else if (d.made) {
      exists = d.exists && d.removed && chance();  // the one before it
      changes = false;
    } else if (d.removed) {
      exists = d.exists && !keep_name;
    }
    for (const Change& change : d.changes) {
      if (left == Left::nothing || !changes) break;
      if (left == Left::writes || change.truncate) {
        if (chance()) apply(bytes, change);
        continue;
      }
      for (std::size_t from = 0; from < change.bytes.size();) {
        const std::size_t edge = (static_cast<std::size_t>(change.at) + from) % kSector;
        const std::size_t size = std::min(kSector - edge, change.bytes.size() - from);
        if (chance())
          apply(bytes, {false, change.at + static_cast<std::int64_t>(from), change.bytes.substr(from, size)});
        from += size;
      }
    }
    if (exists)
      std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    else
      std::filesystem::remove(path);
  }
  if (left != Left::all) {
    // The log's index is memory; what the disk has of it is anything.
    for (const auto& [path, d] : disks_) {
      if (path.ends_with("-wal") || path.ends_with("-journal")) continue;
      if (std::filesystem::exists(path + "-shm") || chance()) {
        std::string noise(chance() ? 32768 : 100, '\0');
        for (char& c : noise) c = static_cast<char>(random());
        std::ofstream(path + "-shm", std::ios::binary | std::ios::trunc) << noise;
      }
    }
  }
  plan(Fault::none, 0);
}

}  // namespace belay::check
