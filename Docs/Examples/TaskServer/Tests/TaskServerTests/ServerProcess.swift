import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Testing

/// A process of the server on a free port.
final class ServerProcess: Sendable {
  /// The version of the program.
  enum Version {
    case current
    /// With one more property; `.ci/test-server` builds it.
    case next
  }

  private let process: Process
  private let address: String

  /// Starts a process, and waits until it serves.
  init(
    _ version: Version = .current, store: URL, _ options: [String] = []
  ) async throws {
    let log = store.deletingLastPathComponent().appending(path: "log-\(UUID().uuidString)")
    try #require(FileManager.default.createFile(atPath: log.path, contents: nil))
    process = Process()
    process.executableURL = try Self.program(version)
    process.arguments =
      [
        "--store", store.path, "--port", "0",
        "--backups", store.deletingLastPathComponent().appending(path: "backups").path,
      ] + options
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let process = process
    var port: Substring?
    try await wait {
      let text = try String(contentsOf: log, encoding: .utf8)
      port = text.firstMatch(of: /port=(\d+).*Serving/)?.1
      if port == nil, !process.isRunning { throw ProcessEnded(log: text) }
      return port != nil
    }
    address = "http://127.0.0.1:\(port ?? "")"
  }

  struct ProcessEnded: Error { let log: String }

  deinit { kill() }

  func terminate() { process.terminate() }
  func kill() { if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) } }

  /// Waits for the end of the process.
  ///
  /// - Returns: Its status; nil when a signal ended it.
  func waitForEnd() async throws -> Int32? {
    try await wait { !self.process.isRunning }
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  // MARK: Requests

  struct Answer {
    let status: Int
    let body: ByteBuffer
    var text: String { String(buffer: body) }
    func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
      try JSONDecoder().decode(type, from: body)
    }
  }

  func send(_ method: HTTPMethod, _ path: String, _ json: [String: Any]? = nil) async throws
    -> Answer
  {
    var request = HTTPClientRequest(url: address + path)
    request.method = method
    if let json {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(data: try JSONSerialization.data(withJSONObject: json)))
    }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    return Answer(
      status: Int(response.status.code), body: try await response.body.collect(upTo: 1 << 24))
  }

  func create(_ title: String) async throws -> TaskAnswer {
    let answer = try await send(.POST, "/tasks", ["title": title])
    guard answer.status == 201 else { throw UnexpectedStatus(status: answer.status) }
    return try answer.decode()
  }

  /// Creates tasks whose events are large.
  func createLargeTasks(_ count: Int) async throws {
    let title = String(repeating: "slow ", count: 2000)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask { for _ in 0..<count / 8 { _ = try await self.create(title) } }
      }
      try await tasks.waitForAll()
    }
  }

  /// The number of streams of events, as the metrics show it; nil if they do not.
  func observerCount() async throws -> Double? {
    let text = try await send(.GET, "/metrics").text
    return text.firstMatch(of: /varve_observers\{.*\} (.+)/).flatMap { Double($0.1) }
  }

  /// Opens the stream of events. It has begun when this method returns.
  func events() async throws -> Events {
    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: address + "/events"), timeout: .hours(1))
    try #require(response.status == .ok)
    var events = Events(chunks: response.body.makeAsyncIterator())
    #expect(try await events.next()?.name == "ready")
    return events
  }

  struct UnexpectedStatus: Error { let status: Int }

  // MARK: The program

  private static func program(_ version: Version) throws -> URL {
    switch version {
    case .current:
      // The executable is next to the bundle of the tests.
      let runner = try #require(Bundle.main.executableURL)
      let candidates = [runner, Bundle(for: Anchor.self).bundleURL].map {
        $0.deletingLastPathComponent().appending(path: "task-server")
      }
      return try #require(
        candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    case .next:
      let path = ProcessInfo.processInfo.environment["TASK_SERVER_NEXT"]
      return URL(
        filePath: try #require(path, "TASK_SERVER_NEXT names the next version: run .ci/test-server")
      )
    }
  }

  private final class Anchor {}
}

/// A task in an answer.
struct TaskAnswer: Decodable {
  let id: Int
  let title: String
  let isDone: Bool
  let due: String?
}

struct PageAnswer: Decodable {
  let tasks: [TaskAnswer]
  let next: Int?
}

/// The events of a stream.
struct Events {
  var chunks: HTTPClientResponse.Body.AsyncIterator
  private var text = ""

  init(chunks: HTTPClientResponse.Body.AsyncIterator) { self.chunks = chunks }

  struct Event {
    let name: String
    let data: String
    func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
      try JSONDecoder().decode(type, from: Data(data.utf8))
    }
  }

  /// Waits for the next comment; nil at the end of the stream.
  mutating func nextComment() async throws -> Substring? {
    while true {
      if let match = text.firstMatch(of: /(?m)^:(.*)\n\n/) {
        text.removeSubrange(match.range)
        return match.1
      }
      guard let chunk = try await chunks.next() else { return nil }
      text += String(buffer: chunk)
    }
  }

  /// Waits for the next event; nil at the end of the stream.
  mutating func next() async throws -> Event? {
    while true {
      if let match = text.firstMatch(of: /event: (.*)\ndata: ?(.*)\n\n/) {
        let event = Event(name: String(match.1), data: String(match.2))
        text.removeSubrange(..<match.range.upperBound)
        return event
      }
      guard let chunk = try await chunks.next() else { return nil }
      text += String(buffer: chunk)
    }
  }
}

/// Waits for a condition.
///
/// - Throws: `TimedOut` after two minutes.
func wait(for condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(120)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw TimedOut() }
    try await Task.sleep(for: .milliseconds(10))
  }
}

struct TimedOut: Error {}

/// Runs a body with the location of a store in a new directory.
func withTemporaryStore(_ body: (URL) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory
    .appending(path: "task-server-\(UUID().uuidString)")
  try FileManager.default.createDirectory(
    at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(at: directory) }
  try await body(directory.appending(path: "tasks.varve"))
}
