/// A request to the server of an issue tracker.
package enum ServerRequest: Equatable, Sendable {
  case read(id: Int)
  case page(status: String)
  case patch(id: Int, IssuePatch)
  /// Creates the ``Issue`` of a number.
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

  /// How many objects a page has.
  static let pageLength = 20
}

/// How many of a hundred requests are of each kind.
struct ServerMix: Sendable {
  var reads = 0
  var pages = 0
  var patches = 0
  var creates = 0

  static let server = ServerMix(reads: 80, pages: 10, patches: 8, creates: 2)
  static let patches = ServerMix(patches: 100)
  static let creates = ServerMix(creates: 100)

  /// The requests of one of several tasks, the same in every run.
  ///
  /// Each issue is patched by one task only, so that the last patch that its task knows of is the one that stays.
  ///
  /// - Parameters:
  ///   - task: 0, 1, …
  ///   - tasks: How many tasks there are.
  ///   - count: How many requests.
  ///   - stored: How many issues the store has.
  /// - Returns: The requests; reads in place of patches for a task that owns no issue.
  func requests(ofTask task: Int, of tasks: Int, count: Int, stored: Int) -> [ServerRequest] {
    var random = SplitMix(seed: 0x5E17 &+ UInt64(task))
    let owned = (stored + tasks - 1 - task) / tasks
    return (0..<count).map { index in
      // Different for each request of all tasks.
      let number = index * tasks + task
      let place = Int.random(in: 0..<reads + pages + patches + creates, using: &random)
      let bits = random.next()
      switch place {
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
