import Testing
import VarveLocks
import VarveStorage

/// The events that an observer received, in order; tests wait for them.
final class EventRecorder<Item: Sendable>: Sendable {
  private let items = Lock<[Item]>([])

  func note(_ item: Item) {
    items.withLock { $0.append(item) }
    items.notify()
  }

  var all: [Item] { items.withLock { $0 } }

  /// Waits until the given number of items has arrived.
  func wait(for count: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [Item] {
    let found = items.wait(for: .seconds(30)) { $0.count >= count ? $0 : nil }
    #expect(found != nil, "Too few events were recorded.", sourceLocation: sourceLocation)
    return found ?? all
  }
}
