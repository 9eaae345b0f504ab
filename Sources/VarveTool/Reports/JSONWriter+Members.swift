import VarveEncoding
import VarveJSONLines

extension JSONWriter {
  mutating func member(_ name: String, _ text: String) {
    member(name)
    string(text)
  }

  mutating func member(_ name: String, _ number: some BinaryInteger) {
    member(name)
    raw("\(number)")
  }

  mutating func member(_ name: String, _ isTrue: Bool) {
    member(name)
    raw("\(isTrue)")
  }

  mutating func member(_ name: String, _ duration: Duration) {
    member(name)
    raw("\(duration / .seconds(1))")
  }

  /// Writes a member that is true; nothing for one that is false.
  mutating func member(_ name: String, if isTrue: Bool) {
    if isTrue { member(name, true) }
  }

  /// Writes a number, or null.
  mutating func member(_ name: String, orNull number: Int?) {
    member(name)
    raw(number.map { "\($0)" } ?? "null")
  }

  /// Writes true or false, or null.
  mutating func member(_ name: String, orNull isTrue: Bool?) {
    member(name)
    raw(isTrue.map { "\($0)" } ?? "null")
  }

  /// Writes a string, or null.
  mutating func member(_ name: String, orNull text: String?) {
    member(name)
    if let text { string(text) } else { raw("null") }
  }

  /// Writes an array of objects, whose members `body` writes.
  mutating func objects<Element>(
    _ name: String, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    array(name, elements) { json, element in json.object { body(&$0, element) } }
  }

  mutating func array(_ name: String, _ texts: [String]) {
    array(name, texts) { $0.string($1) }
  }

  private mutating func array<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    member(name)
    beginArray()
    for part in elements {
      element()
      write(&self, part)
    }
    endArray()
  }

  /// Writes an object, whose members `body` writes.
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes the primary key of an object as `key`, or its id in the file as `id` if it has none.
  mutating func identity(_ key: Value?, _ id: UInt64) {
    guard let key else { return member("id", id) }
    member("key")
    JSONScalar.write(key, to: &self)
  }

  /// Returns the object whose members `body` writes, on one line.
  static func object(_ body: (inout JSONWriter) -> Void) -> String {
    text { $0.object(body) }
  }
}
