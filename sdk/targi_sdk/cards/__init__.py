"""Card sets as people see and give them: tables, differences, card files of one's own."""
