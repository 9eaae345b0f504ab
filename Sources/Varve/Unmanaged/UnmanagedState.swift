import VarveCore
import VarveEncoding

/// What few unmanaged objects hold besides their values.
final class UnmanagedNotes {
  /// The first thing that was wrong; the write that adds the object throws it.
  var failure: Failure?
  /// Whether the object was made from a value: an update leaves alone what the value lacks.
  var isPartial = false
  var recorder: _KeyPathRecorder?
  /// The slots that were set since the object has begun to be stored.
  var lateSlots: Set<Int> = []
}

/// The values of an unmanaged object, in one piece of memory.
///
/// A pointer: nothing here counts references but those of the values. Whoever holds the last copy calls
/// ``release()`` once.
///
/// Thread safety: none of its own; the object's lock guards it. Nothing here runs code of the model: defaults
/// that are such are evaluated outside of the lock, and what is replaced ends there.
struct UnmanagedState: @unchecked Sendable {
  // Safe because it is touched only under the lock of the object that it belongs to, or by whom the object
  // has given it up to.

  private struct Header {
    /// The class, which lives as long as the process.
    let info: Unmanaged<ClassInfo>
    let count: Int
    /// How many slots have no value.
    var unsetCount: Int
    /// Whether the object has begun to be stored.
    var isBeingStored = false
    var notes: UnmanagedNotes?
  }

  private let header: UnsafeMutablePointer<Header>

  /// Where the values begin, from the start of the memory.
  private static var valuesOffset: Int {
    let alignment = MemoryLayout<_Boxed>.alignment
    return (MemoryLayout<Header>.size + alignment - 1) / alignment * alignment
  }

  /// What an object of a class has before anything is set.
  init(_ info: Unmanaged<ClassInfo>) {
    let count = info._withUnsafeGuaranteedRef { $0.properties.count }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.valuesOffset + count * MemoryLayout<_Boxed>.stride,
      alignment: MemoryLayout<_Boxed>.alignment)
    header = memory.bindMemory(to: Header.self, capacity: 1)
    header.initialize(to: Header(info: info, count: count, unsetCount: count, notes: nil))
    let values = (memory + Self.valuesOffset).bindMemory(to: _Boxed.self, capacity: count)
    for slot in 0..<count { (values + slot).initialize(to: _Boxed(.unset)) }
  }

  /// Frees the memory. The values end here, which may run code of the model: not under a lock.
  ///
  /// Objects and collections go through ``ReleaseQueue``, so that chains of them do not nest calls.
  func release() {
    let count = header.pointee.count
    var held: [_Boxed] = []
    if header.pointee.info._withUnsafeGuaranteedRef({ $0.mayHoldObjects }) {
      for slot in 0..<count where values[slot].holdsUnmanaged { held.append(values[slot]) }
    }
    for slot in 0..<count where values[slot].isCounted { (values + slot).deinitialize(count: 1) }
    header.deinitialize(count: 1)
    UnsafeMutableRawPointer(header).deallocate()
    if !held.isEmpty { ReleaseQueue.release(&held) }
  }

  /// The values, one a slot.
  @inline(__always)
  var values: UnsafeMutablePointer<_Boxed> {
    (UnsafeMutableRawPointer(header) + Self.valuesOffset).assumingMemoryBound(to: _Boxed.self)
  }

  private var info: ClassInfo { header.pointee.info._withUnsafeGuaranteedRef { $0 } }

  /// The notes; nil while there are none.
  @inline(__always)
  var notes: UnmanagedNotes? { header.pointee.notes }

  /// The notes, made when there are none.
  func makeNotes() -> UnmanagedNotes {
    if let notes = header.pointee.notes { return notes }
    let notes = UnmanagedNotes()
    header.pointee.notes = notes
    return notes
  }

  /// The value of a slot; what is unset is to be settled with its default.
  func box(_ slot: Int) -> _Boxed {
    if let recorder = header.pointee.notes?.recorder,
      let answer = recorder.note(info.properties[slot])
    {
      return answer
    }
    return values[slot]
  }

  /// Gives a slot its default, unless it was set meanwhile: each has one that stays, also a `UUID()`.
  ///
  /// - Returns: the value of the slot.
  func resolve(_ slot: Int, _ initial: _Boxed) -> _Boxed {
    if values[slot].isUnset {
      values[slot] = initial
      if !initial.isUnset { header.pointee.unsetCount -= 1 }
    }
    return values[slot]
  }

  /// Gives the slots that have no value theirs where the class knows it: a default that is no code of the model.
  ///
  /// - Returns: whether slots are left without a value.
  func resolveConstants() -> Bool {
    _ = lacksValues
    return header.pointee.unsetCount != 0
  }

  /// As ``resolveConstants()``; whether slots are left without a value that the object cannot be stored without.
  @inline(__always)
  var lacksValues: Bool { header.pointee.unsetCount != 0 && lacksValuesOfOthers() }

  private func lacksValuesOfOthers() -> Bool {
    header.pointee.info._withUnsafeGuaranteedRef { info in
      var isLacking = false
      for slot in 0..<header.pointee.count where values[slot].isUnset {
        if info.needsNoValue[slot] { continue }
        if let constant = info.constantDefaults[slot] {
          values[slot] = constant
          header.pointee.unsetCount -= 1
        } else {
          isLacking = true
        }
      }
      return isLacking
    }
  }

  /// The first slot from one on that is unset, of a property that a closure names.
  func unsetSlot(from start: Int, _ isWanted: (PropertyDescriptor) -> Bool) -> Int? {
    let properties = info.properties
    return (start..<header.pointee.count).first { values[$0].isUnset && isWanted(properties[$0]) }
  }

  /// Exchanges the value of a slot for another one.
  @inline(__always)
  func exchange(_ slot: Int, _ box: inout _Boxed) {
    let new = box.isUnset
    swap(&values[slot], &box)
    let old = box.isUnset
    if old != new { header.pointee.unsetCount += old ? -1 : 1 }
    if header.pointee.isBeingStored { makeNotes().lateSlots.insert(slot) }
  }

  /// Notes from now on which slots are set.
  func beginStoring() {
    header.pointee.isBeingStored = true
    header.pointee.notes?.lateSlots = []
  }

  /// What is more than a plain value: objects, collections and mixed values.
  var boxesToStore: [(slot: Int, box: _Boxed)] {
    header.pointee.info._withUnsafeGuaranteedRef { info in
      guard info.mayHoldObjects else { return [] }
      var boxes: [(slot: Int, box: _Boxed)] = []
      for slot in 0..<header.pointee.count {
        switch values[slot].content {
        case .object, .collection: boxes.append((slot, values[slot]))
        case .value where info.properties[slot].type.kind.type == .mixed:
          boxes.append((slot, values[slot]))
        case .value, .unset: break
        }
      }
      return boxes
    }
  }

  /// Copies of all values.
  func copy() -> UnmanagedValues {
    UnmanagedValues(
      boxes: Array(UnsafeBufferPointer(start: values, count: header.pointee.count)),
      failure: notes?.failure)
  }
}

/// Copies of the values of an unmanaged object.
package struct UnmanagedValues {
  var boxes: [_Boxed]
  var failure: Failure?
}

extension _Boxed {
  /// Whether the end of the value is more than that of its memory.
  @inline(__always)
  fileprivate var isCounted: Bool {
    switch content {
    case .unset: false
    case .object, .collection: true
    case .value(let value):
      switch value {
      case .string, .data: true
      case .null, .bool, .int, .float, .double, .date, .uuid, .objectId, .decimal, .link, .nested:
        false
      }
    }
  }

  /// Whether there is no value, not even null.
  @inline(__always)
  var isUnset: Bool {
    if case .unset = content { true } else { false }
  }
}
