/// Somebody in the directory.
struct Employee {
  let id: String
  let name: String
  let department: String
  let title: String
  let phone: String
  let email: String
  let skills: [String]

  static let all = [
    Employee(
      id: "e01", name: "Ada Brandt", department: "Engineering", title: "Bridge engineer",
      phone: "+49 40 555 0101", email: "ada@harbour.example", skills: ["statics", "steel"]),
    Employee(
      id: "e02", name: "Bruno Keller", department: "Engineering", title: "Crane technician",
      phone: "+49 40 555 0102", email: "bruno@harbour.example", skills: ["hydraulics"]),
    Employee(
      id: "e03", name: "Chiara Lund", department: "Pilots", title: "Senior pilot",
      phone: "+49 40 555 0103", email: "chiara@harbour.example", skills: ["tides", "radar"]),
    Employee(
      id: "e04", name: "Deniz Aydın", department: "Pilots", title: "Pilot",
      phone: "+49 40 555 0104", email: "deniz@harbour.example", skills: ["radar"]),
    Employee(
      id: "e05", name: "Émile Roux", department: "Customs", title: "Inspector",
      phone: "+49 40 555 0105", email: "emile@harbour.example", skills: ["french", "law"]),
    Employee(
      id: "e06", name: "Freya Olsen", department: "Customs", title: "Head of customs",
      phone: "+49 40 555 0106", email: "freya@harbour.example", skills: ["law", "danish"]),
  ]

  static func with(id: String) -> Employee? { all.first { $0.id == id } }
}
