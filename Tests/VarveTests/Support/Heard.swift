import Testing
import VarveStorage

/// What an observer heard, in order; tests wait for it.
final class Heard<Item: Sendable>: Sendable {
  private let items = Lock<[Item]>([])

  func note(_ item: Item) {
    items.withLock { $0.append(item) }
    items.notify()
  }

  var all: [Item] { items.withLock { $0 } }

  /// Waits until there are so many items.
  func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [Item] {
    let found = items.wait(for: .seconds(30)) { $0.count >= count ? $0 : nil }
    #expect(found != nil, "Too little was heard.", sourceLocation: sourceLocation)
    return found ?? all
  }
}
