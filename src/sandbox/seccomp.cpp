#include "sandbox/seccomp.h"

#include <asm/unistd.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace BELAY_NAMESPACE::sandbox {
namespace {

// Calls that are younger than the kernel headers of Debian 12. Their numbers are the same on every architecture.
constexpr long kFchmodat2 = 452, kSetxattrat = 463, kRemovexattrat = 466, kOpenTreeAttr = 467, kFileSetattr = 469;

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the list of system calls has to be checked for this architecture first"
#endif

constexpr std::uint32_t kNamespaceFlags =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint32_t kTimeNamespace = 0x80;  // in clone() this bit belongs to the signal
constexpr std::uint32_t kSetIdBits = S_ISUID | S_ISGID;
constexpr std::uint32_t kTerminalInput = 0x5412, kConsole = 0x541C;  // TIOCSTI, TIOCLINUX
constexpr std::uint32_t kSetFlags = 0x40086602, kSetFlags32 = 0x40046602, kSetAttributes = 0x401c5820;  // FS_IOC_*
constexpr std::uint32_t kOneProcess = 1;    // IOPRIO_WHO_PROCESS
constexpr std::uint32_t kSocketType = 0xf;  // the rest of the type is flags
constexpr std::uint32_t kUnnamedFile = O_TMPFILE & ~O_DIRECTORY;

class Builder {
 public:
  std::vector<sock_filter> program;

  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  // The lower half of an argument: all that the kernel reads of those that are looked at here.
  void argument(unsigned index) { load(offsetof(seccomp_data, args) + 8 * index); }
  void give(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
  void refuse(int error) { give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)); }
  void allow() { give(SECCOMP_RET_ALLOW); }

  // Refuses the call, whatever its arguments.
  void deny(long call, int error) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
    refuse(error);
  }
  void deny(std::initializer_list<long> calls, int error) {
    for (long call : calls) deny(call, error);
  }

  // What `body` adds is about this call alone, and has to end with a verdict.
  template <class Body>
  void about(long call, Body body) {
    std::size_t at = program.size();
    jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 0);
    body();
    allow();
    program[at].jf = static_cast<std::uint8_t>(program.size() - at - 1);
  }
  // Refuses when any of the bits is set in an argument.
  void deny_bits(unsigned index, std::uint32_t bits, int error) {
    argument(index);
    jump(BPF_JSET, bits, 0, 1);
    refuse(error);
  }
  // Refuses when the accumulator is this.
  void deny_value(std::uint32_t value, int error) {
    jump(BPF_JEQ, value, 0, 1);
    refuse(error);
  }
  void allow_value(std::uint32_t value) {
    jump(BPF_JEQ, value, 0, 1);
    allow();
  }
  void jump(std::uint16_t test, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    program.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), yes, no, value});
  }
  void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }

 private:
  void add(int code, std::uint32_t k) { program.push_back({static_cast<std::uint16_t>(code), 0, 0, k}); }
};

// What belongs to the machine, and to nobody in a cage. Most of it needs rights that are gone already; a hole in the
// kernel behind these calls does not ask for rights.
void deny_administration(Builder& b) {
  b.deny({__NR_mount,
          __NR_umount2,
          __NR_pivot_root,
          __NR_chroot,
          __NR_move_mount,
          __NR_open_tree,
          kOpenTreeAttr,
          __NR_fsopen,
          __NR_fsconfig,
          __NR_fsmount,
          __NR_fspick,
          __NR_mount_setattr,
          __NR_setns,
          __NR_bpf,
          __NR_perf_event_open,
          __NR_userfaultfd,
          __NR_keyctl,
          __NR_add_key,
          __NR_request_key,
          __NR_kexec_load,
          __NR_kexec_file_load,
          __NR_init_module,
          __NR_finit_module,
          __NR_delete_module,
          __NR_reboot,
          __NR_swapon,
          __NR_swapoff,
          __NR_open_by_handle_at,
          __NR_acct,
          __NR_quotactl,
          __NR_quotactl_fd,
          __NR_syslog,
          __NR_settimeofday,
          __NR_clock_settime,
          __NR_clock_adjtime,
          __NR_sethostname,
          __NR_setdomainname,
          __NR_vhangup,
          __NR_nfsservctl,
          __NR_lookup_dcookie,
          __NR_fanotify_init,
          __NR_kcmp},
         EPERM);
#if defined(__x86_64__)
  b.deny({__NR_iopl, __NR_ioperm, __NR_modify_ldt, __NR_uselib, __NR__sysctl}, EPERM);
#endif
  // Programs have another way when these are not there. clone3 hides its flags behind a pointer, openat2 its mode, and
  // io_uring every call that it makes.
  b.deny({__NR_clone3, __NR_openat2, __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register}, ENOSYS);
}

void deny_namespaces(Builder& b) {
  b.about(__NR_unshare, [&] { b.deny_bits(0, kNamespaceFlags | kTimeNamespace, EPERM); });
  b.about(__NR_clone, [&] { b.deny_bits(0, kNamespaceFlags, EPERM); });
}

// A file that runs as its owner would be a way out for whoever runs it later.
void deny_set_id_files(Builder& b) {
  auto created = [&](long call, unsigned flags, unsigned mode) {
    b.about(call, [&] {
      b.argument(flags);
      b.jump(BPF_JSET, O_CREAT | kUnnamedFile, 1, 0);
      b.allow();  // without them the mode is whatever was in the register
      b.deny_bits(mode, kSetIdBits, EPERM);
    });
  };
  auto node = [&](long call, unsigned mode) {
    b.about(call, [&] {
      b.deny_bits(mode, kSetIdBits, EPERM);
      b.argument(mode);
      b.mask(S_IFMT);
      b.deny_value(S_IFCHR, EPERM);
      b.deny_value(S_IFBLK, EPERM);
    });
  };
  created(__NR_openat, 2, 3);
  node(__NR_mknodat, 2);
  b.about(__NR_mkdirat, [&] { b.deny_bits(2, kSetIdBits, EPERM); });
#if defined(__x86_64__)
  created(__NR_open, 1, 2);
  node(__NR_mknod, 1);
  b.about(__NR_creat, [&] { b.deny_bits(1, kSetIdBits, EPERM); });
  b.about(__NR_mkdir, [&] { b.deny_bits(1, kSetIdBits, EPERM); });
#endif
}

// Landlock knows nothing of modes, owners and times.
void about_metadata(Builder& b, bool allowed) {
  if (!allowed) {
    b.deny({__NR_fchmod, __NR_fchmodat, kFchmodat2, __NR_fchown, __NR_fchownat, __NR_utimensat, __NR_setxattr,
            __NR_lsetxattr, __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, kSetxattrat,
            kRemovexattrat, kFileSetattr},
           EPERM);
#if defined(__x86_64__)
    b.deny({__NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat}, EPERM);
#endif
    return;
  }
  b.about(__NR_fchmod, [&] { b.deny_bits(1, kSetIdBits, EPERM); });
  b.about(__NR_fchmodat, [&] { b.deny_bits(2, kSetIdBits, EPERM); });
  b.about(kFchmodat2, [&] { b.deny_bits(2, kSetIdBits, EPERM); });
#if defined(__x86_64__)
  b.about(__NR_chmod, [&] { b.deny_bits(1, kSetIdBits, EPERM); });
#endif
}

// Who may signal nobody can still lower a limit of another process, and the kernel ends it, or it opens no file any
// more. In a pid namespace the one to protect is process 1, which counts; without one it is everybody.
void about_others(Builder& b, bool apart) {
  auto target = [&](unsigned index) {
    b.argument(index);
    if (apart) return b.deny_value(1, EPERM);
    b.allow_value(0);
    b.refuse(EPERM);
  };
  for (long call :
       {__NR_prlimit64, __NR_sched_setaffinity, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr})
    b.about(call, [&] { target(0); });
  auto of_one = [&](long call, std::uint32_t process) {
    b.about(call, [&] {
      b.argument(0);
      b.jump(BPF_JEQ, process, 1, 0);
      b.refuse(EPERM);  // a group or a user
      target(1);
    });
  };
  of_one(__NR_setpriority, PRIO_PROCESS);
  of_one(__NR_ioprio_set, kOneProcess);
  if (apart) return;
  b.deny({__NR_shmget, __NR_shmat, __NR_shmctl, __NR_semget, __NR_semop, __NR_semtimedop, __NR_semctl, __NR_msgget,
          __NR_msgsnd, __NR_msgrcv, __NR_msgctl, __NR_mq_open, __NR_mq_unlink},
         ENOSYS);
}

void about_ioctl(Builder& b, bool metadata) {
  b.about(__NR_ioctl, [&] {
    b.argument(1);
    b.deny_value(kTerminalInput, EPERM);
    b.deny_value(kConsole, EPERM);
    if (metadata) return;
    b.deny_value(kSetFlags, EPERM);
    b.deny_value(kSetFlags32, EPERM);
    b.deny_value(kSetAttributes, EPERM);
  });
}

void about_sockets(Builder& b, bool internet, bool local) {
  b.about(__NR_socketpair, [&] {
    b.argument(0);
    b.jump(BPF_JEQ, AF_UNIX, 1, 0);
    b.refuse(EAFNOSUPPORT);
    if (local) return;
    // One of a pair for datagrams can still send to whatever has a name, and take it for its peer.
    b.argument(1);
    b.mask(kSocketType);
    b.allow_value(SOCK_STREAM);
    b.allow_value(SOCK_SEQPACKET);
    b.refuse(EACCES);
  });
  if (!internet && !local) return b.deny(__NR_socket, EACCES);
  b.about(__NR_socket, [&] {
    b.argument(0);
    local ? b.allow_value(AF_UNIX) : b.deny_value(AF_UNIX, EACCES);
    if (!internet) return b.refuse(EACCES);
    b.allow_value(AF_INET);
    b.allow_value(AF_INET6);
    b.jump(BPF_JEQ, AF_NETLINK, 1, 0);
    b.refuse(EAFNOSUPPORT);
    b.argument(2);
    b.allow_value(NETLINK_ROUTE);
    b.refuse(EAFNOSUPPORT);
  });
}

}  // namespace

std::vector<sock_filter> seccomp_program(const SeccompOptions& options) {
  Builder b;
  b.load(offsetof(seccomp_data, arch));
  b.jump(BPF_JEQ, kArchitecture, 1, 0);
  b.give(SECCOMP_RET_KILL_PROCESS);
  b.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  b.jump(BPF_JSET, 0x40000000, 0, 1);  // x32
  b.refuse(ENOSYS);
#endif
  deny_administration(b);
  deny_namespaces(b);
  deny_set_id_files(b);
  about_metadata(b, options.metadata);
  about_ioctl(b, options.metadata);
  about_others(b, options.apart);
  about_sockets(b, options.internet, options.local);
  if (!options.trace) b.deny({__NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_pidfd_getfd}, EPERM);
  b.allow();
  return b.program;
}

}  // namespace BELAY_NAMESPACE::sandbox
