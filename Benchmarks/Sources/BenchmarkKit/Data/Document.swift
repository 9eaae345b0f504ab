/// A document of a document store, about 1 kB as JSON.
package struct Document: Codable, Equatable, Sendable {
  package var id: Int
  package var title: String
  package var body: String
  package var tags: [String]
  package var counters: [String: Int]
  package var revision: Int

  package init(
    id: Int, title: String, body: String, tags: [String], counters: [String: Int], revision: Int
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.tags = tags
    self.counters = counters
    self.revision = revision
  }

  /// Creates the document of an id, which determines all its contents.
  package init(id: Int) {
    let bits = SplitMix.mix(0xF4 &+ UInt64(id))
    let words = (0..<48).map { Person.name(SplitMix.mix(bits &+ $0)) }
    self.init(
      id: id, title: Self.title(id), body: words.joined(separator: " "),
      tags: words.prefix(4).map { String($0.prefix(4)) },
      counters: ["views": Int(bits % 1000), "likes": Int(bits % 10)], revision: 0)
  }

  package static func title(_ id: Int) -> String { "Document \(id)" }

  /// Increments the views and the revision, and replaces the last tag.
  package mutating func revise() {
    counters["views", default: 0] += 1
    revision += 1
    if !tags.isEmpty { tags[tags.count - 1] = "r\(revision)" }
  }

  /// Appends a tag.
  package mutating func grow() { tags.append(Self.addedTag) }

  /// The tag that is appended.
  package static let addedTag = "added"

  /// A number that depends on every part of the document.
  package var digest: Int {
    Self.digest(
      title: title, body: body, tags: tags, views: counters["views"] ?? 0,
      likes: counters["likes"] ?? 0, revision: revision)
  }

  /// The digest of separate parts, for engines without document objects.
  package static func digest(
    title: String, body: String, tags: [String], views: Int, likes: Int, revision: Int
  ) -> Int {
    let lengths = title.utf8.count + body.utf8.count &* 3
    let tagged = tags.reduce(0) { $0 &* 31 &+ Int($1.utf8.first ?? 0) &+ $1.utf8.count }
    return lengths &+ tagged &* 7 &+ views &* 11 &+ likes &* 13 &+ revision &* 1009
  }
}
