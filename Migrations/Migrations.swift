// Migrations
