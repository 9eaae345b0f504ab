/// A request to the server of an issue tracker.
package enum ServerRequest: Equatable, Sendable {
  case read(id: Int)
  case page(status: String)
  case patch(id: Int, IssuePatch)
  /// Creates the ``Issue`` with a number.
  case create(number: Int)

  package enum Kind: String, CaseIterable, Sendable {
    case read
    case page
    case patch
    case create
  }

  var kind: Kind {
    switch self {
    case .read: .read
    case .page: .page
    case .patch: .patch
    case .create: .create
    }
  }

  /// The number of objects on a page.
  static let pageLength = 20
}

/// The percentages of the kinds of requests.
struct ServerMix: Sendable {
  var reads = 0
  var pages = 0
  var patches = 0
  var creates = 0

  static let server = ServerMix(reads: 80, pages: 10, patches: 8, creates: 2)
  static let patches = ServerMix(patches: 100)
  static let creates = ServerMix(creates: 100)

  /// The requests of one of several tasks. They are the same in every run.
  ///
  /// Each issue is patched by one task only, so that the last patch of that task is the final
  /// state.
  ///
  /// - Parameters:
  ///   - task: The index of the task, starting at 0.
  ///   - tasks: The number of tasks.
  ///   - count: The number of requests.
  ///   - stored: The number of issues in the store.
  /// - Returns: The requests. A task that owns no issue reads instead of patching.
  func requests(ofTask task: Int, of tasks: Int, count: Int, stored: Int) -> [ServerRequest] {
    var random = SplitMix(seed: 0x5E17 &+ UInt64(task))
    let owned = (stored + tasks - 1 - task) / tasks
    return (0..<count).map { index in
      // Distinct for each request of all tasks.
      let number = index * tasks + task
      let draw = Int.random(in: 0..<reads + pages + patches + creates, using: &random)
      let bits = random.next()
      switch draw {
      case ..<reads: break
      case ..<(reads + pages): return .page(status: Issue.statuses[Int(bits % 4)])
      case ..<(reads + pages + patches):
        guard owned > 0 else { break }
        let id = 1 + task + Int(bits % UInt64(owned)) * tasks
        return .patch(id: id, IssuePatch(number: number))
      default: return .create(number: number)
      }
      return .read(id: 1 + Int(bits % UInt64(stored)))
    }
  }
}
