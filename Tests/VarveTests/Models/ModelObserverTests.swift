import Testing
import Varve

/// The same observers on stored properties: the macro must behave as Swift does.
private class StoredObservers {
  var log: [String] = []
  var name = "a" {
    willSet { log.append("will \(name) \(newValue)") }
    didSet { log.append("did \(oldValue) \(name)") }
  }
  var clamped = 0 {
    didSet(previous) {
      if clamped < 0 { self.clamped = previous }
      clamped += 1
    }
  }
  var skipping: String? {
    willSet(next) {
      guard let next else { return }
      log.append("next \(next)")
    }
  }
  var unwrapped: String! {
    didSet {
      guard let old = oldValue else { return }
      log.append("\(old.count) \(unwrapped.count)")
    }
  }
  var text: String = "" {
    didSet {
      // Inside a closure an assignment calls the observers again.
      let again = { if self.text == "x" { self.text = "y" } }
      again()
      text.append("!")
      let shadow = { (text: String) in text.count }
      log.append("\(text) \(shadow("abc"))")
    }
  }
}

@Model private final class MarkedObservers: Object {
  var log: [String] = []
  @Persisted var name = "a" {
    willSet { log.append("will \(name) \(newValue)") }
    didSet { log.append("did \(oldValue) \(name)") }
  }
  @Persisted var clamped = 0 {
    didSet(previous) {
      if clamped < 0 { self.clamped = previous }
      clamped += 1
    }
  }
  @Persisted var skipping: String? {
    willSet(next) {
      guard let next else { return }
      log.append("next \(next)")
    }
  }
  @Persisted var unwrapped: String! {
    didSet {
      guard let old = oldValue else { return }
      log.append("\(old.count) \(unwrapped.count)")
    }
  }
  @Persisted var text: String = "" {
    didSet {
      // Inside a closure an assignment calls the observers again.
      let again = { if self.text == "x" { self.text = "y" } }
      again()
      text.append("!")
      let shadow = { (text: String) in text.count }
      log.append("\(text) \(shadow("abc"))")
    }
  }
}

private final class PlainObservers: Object, @unchecked Sendable {
  var log: [String] = []
  @Persisted var name = "a" {
    willSet { log.append("will \(name) \(newValue)") }
    didSet { log.append("did \(oldValue) \(name)") }
  }
  @Persisted var clamped = 0 {
    didSet(previous) {
      if clamped < 0 { self.clamped = previous }
      clamped += 1
    }
  }
  @Persisted var skipping: String? {
    willSet(next) {
      guard let next else { return }
      log.append("next \(next)")
    }
  }
  @Persisted var unwrapped: String! {
    didSet {
      guard let old = oldValue else { return }
      log.append("\(old.count) \(unwrapped.count)")
    }
  }
  @Persisted var text: String = "" {
    didSet {
      // Inside a closure an assignment calls the observers again.
      let again = { if self.text == "x" { self.text = "y" } }
      again()
      text.append("!")
      let shadow = { (text: String) in text.count }
      log.append("\(text) \(shadow("abc"))")
    }
  }
}

private class ObservedBase: Object, @unchecked Sendable {
  @Persisted var count = 1
}
private final class OverridingObserver: ObservedBase, @unchecked Sendable {
  var log: [Int] = []
  override var count: Int {
    didSet { log.append(oldValue) }
  }
}

private func double(_ value: inout Int) { value *= 2 }

struct ModelObserverTests {
  @Test func overridingObserverDoesNotPersistPropertyAgain() {
    let object = OverridingObserver()
    object.count = 5
    double(&object.count)
    #expect(object.log == [1, 5])
    #expect(object.count == 10)
    #expect(ModelProbe(OverridingObserver.self).names == ["count"])
  }

  /// The log of the observers of stored properties.
  private static func expected() -> (log: [String], clamped: [Int], text: String) {
    let object = StoredObservers()
    object.name = "b"
    var clamped: [Int] = []
    for value in [5, -1, 0] {
      object.clamped = value
      clamped.append(object.clamped)
    }
    object.skipping = "s"
    object.skipping = nil
    object.unwrapped = "one"
    object.unwrapped = "three"
    object.text = "x"
    return (object.log, clamped, object.text)
  }

  @Test func markedModelObserversMatchStoredProperties() {
    let object = MarkedObservers()
    object.name = "b"
    var clamped: [Int] = []
    for value in [5, -1, 0] {
      object.clamped = value
      clamped.append(object.clamped)
    }
    object.skipping = "s"
    object.skipping = nil
    #expect(object.skipping == nil)
    object.unwrapped = "one"
    object.unwrapped = "three"
    object.text = "x"
    let expected = Self.expected()
    #expect(object.log == expected.log)
    #expect(clamped == expected.clamped)
    #expect(object.text == expected.text)
  }

  @Test func plainModelObserversMatchStoredProperties() {
    let object = PlainObservers()
    object.name = "b"
    var clamped: [Int] = []
    for value in [5, -1, 0] {
      object.clamped = value
      clamped.append(object.clamped)
    }
    object.skipping = "s"
    object.skipping = nil
    #expect(object.skipping == nil)
    object.unwrapped = "one"
    object.unwrapped = "three"
    object.text = "x"
    let expected = Self.expected()
    #expect(object.log == expected.log)
    #expect(clamped == expected.clamped)
    #expect(object.text == expected.text)
  }
}
