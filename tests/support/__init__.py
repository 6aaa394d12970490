"""What several tests share: designs, engines, oracles, servers."""
