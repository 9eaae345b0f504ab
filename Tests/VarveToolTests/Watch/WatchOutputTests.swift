import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@testable import VarveTool

@Suite struct WatchOutputTests {
  /// Runs a body with a pipe.
  private func withPipe(_ body: (_ read: Int32, _ write: Int32) throws -> Void) throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try body(ends[0], ends[1])
  }

  @Test func unreadOutputIsKept() throws {
    try withPipe { read, write in
      var output = WatchOutput(write, stop: try StopRequest())
      let text = String(repeating: "0123456789abcdef", count: 10_000)
      output.append(text)
      let first = try output.flush(asking: .milliseconds(1)) { false }
      #expect(first == .late)
      let rest = output.pendingCount
      #expect(rest > 0 && rest < text.utf8.count)
      var taken: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      func take() { taken += buffer[..<Foundation.read(read, &buffer, buffer.count)] }
      take()
      while try output.flush(asking: .milliseconds(1), { false }) == .late { take() }
      take()
      #expect(taken == Array(text.utf8))
    }
  }

  @Test func unreadTerminalDoesNotBlock() throws {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(main) }
    // TIOCSPTLCK and TIOCGPTN, which are not imported.
    var (number, isLocked): (Int32, Int32) = (0, 0)
    try #require(ioctl(main, 0x4004_5431, &isLocked) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    defer { close(terminal) }
    var output = WatchOutput(terminal, stop: try StopRequest())
    output.append(String(repeating: "x", count: 1 << 20))
    #expect(try output.flush(asking: .milliseconds(1), { false }) == .late)
    #expect(fcntl(terminal, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func unreadSocketDoesNotBlock() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var output = WatchOutput(ends[0], stop: try StopRequest())
    output.append(String(repeating: "x", count: 1 << 22))
    #expect(try output.flush(asking: .milliseconds(1), { false }) == .late)
  }

  @Test func closedReaderEndsOutput() throws {
    var ends: [Int32] = [0, 0]
    signal(SIGPIPE, SIG_IGN)
    #expect(pipe(&ends) == 0)
    defer { close(ends[1]) }
    var output = WatchOutput(ends[1], stop: try StopRequest())
    #expect(!output.hasEnded)
    close(ends[0])
    output.append("text")
    #expect(try output.flush { true } == .ended)
    #expect(output.hasEnded)
    output.waitForEnd()
  }

  @Test func stopRequestEndsOutput() throws {
    try withPipe { _, write in
      let stop = try StopRequest()
      var output = WatchOutput(write, stop: stop)
      output.append(String(repeating: "x", count: 1 << 20))
      let outcome = try output.flush(asking: .milliseconds(1)) {
        stop.stop()
        return true
      }
      #expect(outcome == .ended)
    }
  }

  @Test func lateReaderReceivesGapLine() throws {
    try PupStore.with { store in
      try withPipe { read, write in
        let stop = try StopRequest()
        let input = FileHandle(fileDescriptor: read)
        let watching = Thread {
          do {
            var watch = try StoreWatch(
              store.path, classNames: [], predicate: nil, format: JSONReport(),
              output: WatchOutput(write, stop: stop),
              budget: PinBudget(age: .milliseconds(50), byteCount: 1 << 40))
            try watch.run()
            try watch.close()
          } catch {
            Issue.record(error)
          }
        }
        var text = ""
        func take(until mark: String) {
          while !text.contains(mark) {
            let data = input.availableData
            if data.isEmpty { return }
            text += String(decoding: data, as: UTF8.self)
          }
        }
        watching.start()
        take(until: "start")
        let realm = store.realm
        try realm.write {
          for number in 0..<3000 { realm.create(Pup.self, value: ["name": "pup \(number)"]) }
        }
        // When the time limit has passed, the watch retains no version.
        let environment = realm.context.store.environment
        repeat {
          usleep(10_000)
          environment.releaseStaleSnapshot()
        } while environment.liveSnapshotCount > 1
        try realm.write { realm.create(Pup.self, value: ["name": "unseen"]) }
        take(until: "gap")
        try realm.write { realm.create(Pup.self, value: ["name": "seen"]) }
        take(until: #""key":"seen""#)
        #expect(!text.contains("unseen"))
        for line in text.split(separator: "\n") {
          _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
        #expect(text.contains(#"{"version":3,"since":1,"change":"gap"}"#))
        stop.stop()
        while !watching.isFinished { usleep(1000) }
      }
    }
  }
}
