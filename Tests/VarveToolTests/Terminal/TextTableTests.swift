import Testing

@testable import VarveTool

@Suite struct TextTableTests {
  @Test func columnsHaveWidthOfWidestCell() {
    var table = TextTable([.init(title: "name"), .init(title: "n", alignment: .right)])
    table.append(["a", "1"])
    table.append(["longer", "100"])
    #expect(
      table.lines() == [
        "  name      n",
        "  a         1",
        "  longer  100",
      ])
  }

  @Test func emptyTitlesUseNoLine() {
    var table = TextTable([.init(title: ""), .init(title: "")])
    table.append(["a", "b"])
    #expect(table.lines(indent: 0) == ["a  b"])
  }

  @Test func rowsArePaddedToNumberOfTitles() {
    var table = TextTable([.init(title: "a"), .init(title: "b")])
    table.append(["1"])
    table.append(["1", "2", "3"])
    #expect(table.rows == [["1", ""], ["1", "2"]])
    #expect(table.lines(indent: 0) == ["a  b", "1", "1  2"])
  }
}
