import Foundation
import Synchronization

/// Holds a closure back, usually that of a write.
final class Gate: Sendable {
  private let reached = Atomic(false)
  private let opened = Atomic(false)

  /// Blocks the thread until the gate is opened.
  func pass() {
    reached.store(true, ordering: .releasing)
    while !opened.load(ordering: .acquiring) { usleep(1000) }
  }

  /// Waits until a closure is at the gate.
  func waitUntilReached() async throws { try await wait { reached.load(ordering: .acquiring) } }

  var isOpen: Bool { opened.load(ordering: .acquiring) }
  func open() { opened.store(true, ordering: .releasing) }
}
