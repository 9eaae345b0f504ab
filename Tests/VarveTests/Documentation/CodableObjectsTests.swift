import Foundation
import Testing
import Varve

/// The examples of the article “Encoding and decoding objects”.
@Suite struct CodableObjectsTests {
  @Model final class Article: Object, Codable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String
    @Persisted var summary: String?
    @Persisted var tags: List<String>
    @Persisted var author: Writer?

    private enum CodingKeys: String, CodingKey {
      case id, title, tags, author
      case summary = "abstract"
    }
  }

  @Model final class Writer: Object, Codable {
    @Persisted(primaryKey: true) var name: String
    @Persisted var born = 1900
  }

  private func upsert(in realm: Realm) async throws {
    do {
      let body = #"{"id": 1, "title": "Tides", "author": {"name": "Ada", "born": 1815}}"#
      let patch = try JSONDecoder().decode(ObjectPatch<Article>.self, from: Data(body.utf8))
      try await realm.write { try realm.upsert(patch) }
    }
    let article = try #require(realm.object(ofType: Article.self, forPrimaryKey: 1))
    #expect(article.title == "Tides" && article.author?.born == 1815)
    do {
      let batch =
        #"[{"id": 1, "abstract": null}, {"id": 2, "title": "Winds", "author": {"name": "Ada"}}]"#
      let patches = try JSONDecoder().decode([ObjectPatch<Article>].self, from: Data(batch.utf8))
      try await realm.write { try realm.upsert(patches) }
    }
    #expect(realm.objects(Article.self).map(\.title) == ["Tides", "Winds"])
    #expect(realm.objects(Article.self)[1].author?.born == 1815)
    try await realm.write {
      realm.delete(realm.objects(Article.self)[1])
      article.author?.born = 1900
    }
  }

  @Test func objectsAreEncodedDecodedAndPatched() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      let json = #"{"id": 1, "title": "Waves", "abstract": "Short", "author": {"name": "Ada"}}"#

      let new = try JSONDecoder().decode(Article.self, from: Data(json.utf8))
      try await realm.write { realm.add(new, update: .modified) }

      #expect(new.author?.born == 1900 && new.summary == "Short" && new.tags.isEmpty)

      let article = realm.object(ofType: Article.self, forPrimaryKey: 1)
      let body = try JSONEncoder().encode(article?.freeze())

      let again = try JSONDecoder().decode(Article.self, from: body)
      #expect(again.title == "Waves" && again.author?.name == "Ada" && again.realm == nil)

      do {
        let patch = try JSONDecoder().decode(
          ObjectPatch<Article>.self, from: Data(#"{"title": "Tides", "abstract": null}"#.utf8))
        try await realm.write {
          if let article = realm.object(ofType: Article.self, forPrimaryKey: 1) {
            try patch.apply(to: article)
          }
        }
      }
      #expect(new.title == "Tides" && new.summary == nil && new.author?.name == "Ada")

      try await upsert(in: realm)
      #expect(new.author?.born == 1900 && new.title == "Tides")

      let sorted = JSONEncoder()
      sorted.outputFormatting = .sortedKeys
      let nested = String(decoding: try sorted.encode(article?.freeze()), as: UTF8.self)
      #expect(
        nested
          == #"{"abstract":null,"author":{"born":1900,"name":"Ada"},"id":1,"tags":[],"title":"Tides"}"#
      )

      let encoder = JSONEncoder()
      encoder.userInfo[.varveLinks] = LinkCoding.keys
      let decoder = JSONDecoder()
      decoder.userInfo[.varveLinks] = LinkCoding.keys
      decoder.userInfo[.varveRealm] = realm

      let keyed = String(decoding: try encoder.encode(article), as: UTF8.self)
      #expect(keyed.contains(#""author":"Ada""#))
      let linked = try decoder.decode(Article.self, from: Data(keyed.utf8))
      #expect(linked.author == realm.objects(Writer.self).first)
    }
  }
}
