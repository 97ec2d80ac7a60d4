// TextIndex
