package import Synchronization
package import VarveStorage

/// What a live view reads: a snapshot that moves at defined points.
///
/// Shared by the view, by the contexts of its handles and by the store's list of views.
///
/// Thread safety: any thread may read through it while another moves it.
package final class ViewPin: Sendable {
  @usableFromInline package let moving: MovingSnapshot
  /// Set by every read, cleared by the housekeeper: an unread view is moved to the newest version.
  @usableFromInline package let wasRead = Atomic<Bool>(true)
  /// The serial number of the last transaction that the view took part in. Only the thread that
  /// runs a transaction of the store touches it.
  let lastTransaction = Atomic<UInt64>(0)
  /// Housekeeping ticks since the last read. Only the housekeeper touches it.
  let unreadTicks = Atomic<Int>(0)

  init(_ snapshot: Snapshot) { moving = MovingSnapshot(snapshot) }
}

/// One live view of a store: everything reached from it reads the version that it pins.
///
/// A view moves only at defined points: `refresh()`, the begin and the commit of a write that it
/// takes part in, and when it has not been read for some seconds.
///
/// Thread safety: any thread may use it.
package final class View: Sendable {
  package let store: Store
  package let pin: ViewPin
  private let place: Int
  /// Guards the write that was begun through this view and not ended yet.
  private let manual = Mutex<OpenManualWrite?>(nil)

  package init(store: Store, snapshot: Snapshot) {
    self.store = store
    pin = ViewPin(snapshot)
    place = store.views.insert(pin)
  }

  deinit {
    cancelManualWrite()
    store.views.remove(at: place)
  }

  /// The version that the view reads now.
  package var snapshot: Snapshot {
    pin.wasRead.store(true, ordering: .relaxed)
    return pin.moving.retained()
  }

  /// Moves the view to the newest version.
  ///
  /// - Returns: whether the version changed.
  /// - Throws: a storage failure; the view then stays where it is.
  package func refresh() throws(Failure) -> Bool {
    let newest = try store.newestSnapshot()
    pin.wasRead.store(true, ordering: .relaxed)
    guard newest.serial != pin.moving.retained().serial else { return false }
    pin.moving.move(to: newest)
    return true
  }

  func move(to snapshot: Snapshot) { pin.moving.move(to: snapshot) }

  func setManualWrite(_ write: ManualWrite, _ transaction: Transaction) {
    manual.withLock { $0 = OpenManualWrite(write: write, transaction: transaction) }
  }

  func takeManualWrite() -> (ManualWrite, Transaction)? {
    let open = manual.withLock { open in
      defer { open = nil }
      return open
    }
    return open.map { ($0.write, $0.transaction) }
  }

  /// Rolls back a write that was begun through this view, from whichever thread.
  func cancelManualWrite() {
    guard let (write, transaction) = takeManualWrite() else { return }
    store.rollBack(transaction)
    write.end()
  }
}

/// A write that was begun and not ended.
private struct OpenManualWrite: @unchecked Sendable {
  // Safe because whoever takes it out of the view's lock is the only one to use it.
  let write: ManualWrite
  let transaction: Transaction
}

/// The live views of a store, for the housekeeper.
///
/// Thread safety: a lock guards the places.
final class ViewList: Sendable {
  private struct Places {
    var pins: [ViewPin?] = []
    var free: [Int] = []
  }
  /// Guards the places.
  private let places = Mutex(Places())

  func insert(_ pin: ViewPin) -> Int {
    places.withLock { places in
      if let place = places.free.popLast() {
        places.pins[place] = pin
        return place
      }
      places.pins.append(pin)
      return places.pins.count - 1
    }
  }

  func remove(at place: Int) {
    // The pin is released after the lock: ending its snapshot takes time.
    let pin = places.withLock { places in
      let pin = places.pins[place]
      places.pins[place] = nil
      places.free.append(place)
      return pin
    }
    withExtendedLifetime(pin) {}
  }

  var all: [ViewPin] { places.withLock { $0.pins.compactMap(\.self) } }
}
