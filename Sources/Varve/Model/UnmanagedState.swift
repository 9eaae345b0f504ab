import VarveCore
import VarveEncoding

/// What an unmanaged object holds besides its values.
struct UnmanagedHeader {
  let info: ClassInfo
  /// The number of properties.
  let count: Int
  /// The first thing that was wrong; the write that adds the object throws it.
  var failure: Failure?
  /// Whether the object was made from a value: an update leaves alone what the value lacks.
  var isPartial = false
  var recorder: _KeyPathRecorder?
  /// The slots that were set since the values were taken to be stored; nil while they are not.
  var lateSlots: Set<Int>?
}

/// The memory of an unmanaged object's values.
private final class UnmanagedBuffer: ManagedBuffer<UnmanagedHeader, _Boxed> {
  deinit {
    var held = withUnsafeMutablePointers { header, values in
      let values = UnsafeMutableBufferPointer(start: values, count: header.pointee.count)
      defer { values.deinitialize() }
      return values.filter(\.holdsUnmanaged)
    }
    if !held.isEmpty { ReleaseQueue.release(&held) }
  }
}

/// The values of an unmanaged object, in one allocation.
///
/// Thread safety: none of its own; the object's lock guards it. Nothing here runs code of the model: defaults are
/// evaluated outside of the lock, and what is replaced ends there.
struct UnmanagedState: @unchecked Sendable {
  // Safe because it is touched only under the lock of the object that it belongs to.
  private let buffer: ManagedBuffer<UnmanagedHeader, _Boxed>

  /// What an object of a class has before anything is set.
  init(_ info: ClassInfo) {
    let count = info.properties.count
    buffer = UnmanagedBuffer.create(minimumCapacity: count) { _ in
      UnmanagedHeader(info: info, count: count)
    }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .unset, count: count) }
  }

  /// What the object holds besides its values.
  var header: UnmanagedHeader {
    get { buffer.header }
    nonmutating set { buffer.header = newValue }
  }

  /// The value of a slot; what is unset is to be settled with its default.
  func box(_ slot: Int) -> _Boxed {
    buffer.withUnsafeMutablePointers { header, values in
      if let recorder = header.pointee.recorder,
        let answer = recorder.note(header.pointee.info.properties[slot])
      {
        return answer
      }
      return values[slot]
    }
  }

  /// Gives a slot its default, unless it was set meanwhile: each has one that stays, also a `UUID()`.
  ///
  /// - Returns: the value of the slot.
  func settle(_ slot: Int, _ initial: _Boxed) -> _Boxed {
    buffer.withUnsafeMutablePointerToElements { values in
      if case .unset = values[slot].content { values[slot] = initial }
      return values[slot]
    }
  }

  /// The first slot from one on that is unset, of a property that a closure names.
  func unsetSlot(from start: Int, _ isWanted: (PropertyDescriptor) -> Bool) -> Int? {
    buffer.withUnsafeMutablePointers { header, values in
      (start..<header.pointee.count).first { slot in
        guard case .unset = values[slot].content else { return false }
        return isWanted(header.pointee.info.properties[slot])
      }
    }
  }

  /// The value of a slot as it is, set or not.
  func current(_ slot: Int) -> _Boxed {
    buffer.withUnsafeMutablePointerToElements { $0[slot] }
  }

  /// Sets the value of a slot.
  ///
  /// - Returns: the one that it had.
  func set(_ slot: Int, _ box: _Boxed) -> _Boxed {
    buffer.withUnsafeMutablePointers { header, values in
      let old = (values + slot).move()
      (values + slot).initialize(to: box)
      if header.pointee.lateSlots != nil { header.pointee.lateSlots?.insert(slot) }
      return old
    }
  }

  /// All values, to be stored; from now on sets are noted.
  func take() -> UnmanagedValues {
    header.lateSlots = []
    return UnmanagedValues(
      boxes: header.info.properties.indices.map(current), failure: header.failure)
  }
}

/// What was taken from an unmanaged object to be stored.
package struct UnmanagedValues {
  var boxes: [_Boxed]
  var failure: Failure?

  /// Whether a property was not set, and its default not asked for.
  var hasUnset: Bool {
    boxes.contains { box in
      if case .unset = box.content { true } else { false }
    }
  }
}
