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
/// Thread safety: none of its own; the object's lock guards it.
struct UnmanagedState: @unchecked Sendable {
  // Safe because it is touched only under the lock of the object that it belongs to.
  private let buffer: ManagedBuffer<UnmanagedHeader, _Boxed>

  private init(_ info: ClassInfo) {
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

  /// The state of an object, made at its first use.
  static func ensured(_ state: inout UnmanagedState?, _ object: ObjectBase) -> UnmanagedState {
    if let state { return state }
    let made = UnmanagedState(ClassInfo.of(object))
    state = made
    return made
  }

  /// The value of a slot; what is unset gets its default, which is evaluated once: a `UUID()` stays
  /// what it is.
  func box(_ slot: Int) -> _Boxed {
    buffer.withUnsafeMutablePointers { header, values in
      if let recorder = header.pointee.recorder,
        let answer = recorder.note(header.pointee.info.properties[slot])
      {
        return answer
      }
      if case .unset = values[slot].content {
        values[slot] = header.pointee.info.properties[slot].makeDefault()
      }
      return values[slot]
    }
  }

  /// Gives every property that was not set its default, other than collections: after that reading them
  /// runs no code of the model.
  func evaluateDefaults() {
    buffer.withUnsafeMutablePointers { header, values in
      for slot in 0..<header.pointee.count {
        guard case .unset = values[slot].content else { continue }
        let property = header.pointee.info.properties[slot]
        if property.type.kind.collection == .none { values[slot] = property.makeDefault() }
      }
    }
  }

  /// The value of a slot as it is, set or not.
  func current(_ slot: Int) -> _Boxed {
    buffer.withUnsafeMutablePointerToElements { $0[slot] }
  }

  func set(_ slot: Int, _ box: _Boxed) {
    buffer.withUnsafeMutablePointers { header, values in
      values[slot] = box
      if header.pointee.lateSlots != nil { header.pointee.lateSlots?.insert(slot) }
    }
  }

  /// All values, to be stored; from now on sets are noted.
  func take(onlySet: Bool) -> UnmanagedValues {
    header.lateSlots = []
    let slots = header.info.properties.indices
    return UnmanagedValues(
      boxes: slots.map { onlySet || header.isPartial ? current($0) : box($0) },
      failure: header.failure)
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
