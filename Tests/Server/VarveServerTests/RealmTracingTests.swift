import Testing
import Tracing
import Varve
import VarveServer
import VarveTesting

@Suite(.temporaryRealm(in: .directory)) struct RealmTracingTests {
  private struct Refused: Error {}

  @Test func writeHasASpan() async throws {
    let tracer = RecordingTracer()
    let realm = try await Realm.open()
    let id = try await realm.write(span: "add note", tracer: tracer) {
      realm.add(Note(id: 7))
      return realm.objects(Note.self)[0].id
    }
    #expect(id == 7)
    let span = try #require(tracer.spans.first)
    #expect(span.operationName == "add note")
    #expect(span.events == ["begun", "done"])
    #expect(span.attributes["db.system.name"]?.toSpanAttribute() == "varve")
    let path = try #require(realm.configuration.fileURL?.path)
    #expect(span.attributes["db.namespace"]?.toSpanAttribute() == .string(path))
    #expect(span.errors.isEmpty)
    #expect(!span.isRecording)
  }

  @Test func spansOfTheClosureAreChildren() async throws {
    let tracer = RecordingTracer()
    let realm = try await Realm.open()
    try await tracer.withSpan("request") { _ in
      try await realm.write(span: "write", tracer: tracer) {
        tracer.withSpan("inside") { _ in realm.add(Note(id: 1)) }
      }
    }
    #expect(tracer.spans.map(\.operationName) == ["inside", "write", "request"])
    #expect(tracer.spans.map(\.parent) == ["write", "request", nil])
  }

  @Test func spansOfAnyAwaitedWriteAreChildrenOfTheRequest() async throws {
    let tracer = RecordingTracer()
    let realm = try await Realm.open()
    try await tracer.withSpan("request") { _ in
      try await realm.write { tracer.withSpan("plain") { _ in realm.add(Note(id: 1)) } }
      try await realm.write(span: "write", tracer: tracer) {
        tracer.withSpan("inside") { _ in realm.add(Note(id: 2)) }
      }
    }
    #expect(tracer.spans.map(\.operationName) == ["plain", "inside", "write", "request"])
    #expect(tracer.spans.map(\.parent) == ["request", "write", "request", nil])
  }

  @Test func errorIsRecordedAndNothingIsCommitted() async throws {
    let tracer = RecordingTracer()
    let realm = try await Realm.open()
    await #expect(throws: Refused.self) {
      try await realm.write(span: "write", tracer: tracer) {
        realm.add(Note(id: 1))
        throw Refused()
      }
    }
    #expect(tracer.spans.map(\.errors) == [["Refused()"]])
    #expect(realm.objects(Note.self).isEmpty)
  }
}
