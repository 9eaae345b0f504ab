import Testing
import Varve

struct LocalModelTests {
  @Test func localClassesWorkWithoutTheAttribute() {
    class Local: Object, @unchecked Sendable {
      @Persisted var a = 1
    }
    final class Sub: Local, @unchecked Sendable {
      @Persisted var b = 2
    }
    let object = Sub()
    object.b = 5
    #expect([object.a, object.b] == [1, 5])
    #expect(ModelProbe(Sub.self).names == ["a", "b"])
  }

  @Test func localClassesInClosuresWork() {
    let made = [1, 2].map { value in
      final class Local: Object, @unchecked Sendable {
        @Persisted var content: Int
      }
      let object = Local()
      object.content = value
      return object.content
    }
    #expect(made == [1, 2])
  }
}
