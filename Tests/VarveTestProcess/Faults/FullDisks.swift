import CTestFaults
import Glibc

/// The space for the files of a store.
enum FaultRoom {
  case unlimited
  /// No file may be longer.
  case fileSize(Int)
  /// All files are on a disk of this size. The process must be allowed to mount it.
  case disk(Int)

  /// Prepares the directory for the life of a store.
  func begin(_ directory: String) {
    guard case .disk(let size) = self else { return }
    guard fault_mount(directory, Int64(size), 0) == 0 else { exit(3) }
  }

  /// Limits the files of this process.
  func limit() {
    guard case .fileSize(let size) = self else { return }
    var limits = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
  }

  /// Makes room for the check of the store.
  func end(_ directory: String) {
    guard case .disk = self else { return }
    guard fault_mount(directory, 1 << 28, 1) == 0 else { exit(3) }
  }
}

/// Runs the life of a store of ``FailingCalls`` in too little space.
enum FullDisks {
  /// Runs cases: `fullDisks DIRECTORY SEED FILE|DISK FIRST STEP LAST COMMITS`, with the sizes
  /// `FIRST`, `FIRST + STEP` and so on.
  ///
  /// Prints a line for each fault, and at the end `done` with the number of cases, the number of
  /// cases in which an error was thrown, and the number in which transactions were acknowledged.
  static func run(_ directory: String, _ words: [String]) throws {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == 5, words.count == 6 else { exit(2) }
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { exit(2) }
    let progress = memory.bindMemory(to: FailingCalls.Progress.self, capacity: 1)
    var (cases, failures, lives) = (0, 0, 0)
    for size in stride(from: numbers[1], through: numbers[3], by: numbers[2]) {
      let bench = FailingCallBench(
        directory: directory, seed: numbers[0], commitCount: numbers[4], progress: progress,
        room: words[1] == "disk" ? .disk(size) : .fileSize(size))
      if let fault = bench.run(fault_plan()) {
        say("fault with \(size) bytes: " + fault.replacing("\n", with: "; "))
      }
      cases += 1
      if progress.pointee.failureCount > 0 { failures += 1 }
      if progress.pointee.acknowledged > 0 { lives += 1 }
    }
    say("done \(cases) \(failures) \(lives)")
  }
}
