"""A person at the terminal: the board, actions and cards in words, playing with taking back."""
