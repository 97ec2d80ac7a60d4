// Ranking
