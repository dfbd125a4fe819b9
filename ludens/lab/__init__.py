"""What is made of games: statistics, ratings, ladders, tuning, reports."""
